"""Writes convolution.safetensors: torch's convolutions and poolings with their gradients, in float64.

    python convolution.py

Each case has x, weight and bias where it has them, the gradient dy that comes from above, y, and what arrives below.
"""

import os

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import save_file

torch.manual_seed(20261122)
tensors = {}


def case(name, function, **inputs):
    leaves = {key: torch.randn(*shape, dtype=torch.float64, requires_grad=True) for key, shape in inputs.items()}
    y = function(**leaves)
    dy = torch.randn_like(y)
    y.backward(dy)
    tensors.update({f"{name}/{key}": value.detach().numpy() for key, value in leaves.items()})
    tensors.update({f"{name}/d{key}": value.grad.numpy() for key, value in leaves.items()})
    tensors.update({f"{name}/y": y.detach().numpy(), f"{name}/dy": dy.numpy()})


case("plain", lambda x, weight, bias: F.conv2d(x, weight, bias), x=(2, 3, 6, 7), weight=(4, 3, 3, 2), bias=(4,))
case("same", lambda x, weight, bias: F.conv2d(x, weight, bias, padding=1), x=(3, 2, 9, 17), weight=(9, 2, 3, 3), bias=(9,))
case("no-bias", lambda x, weight: F.conv2d(x, weight, padding=(0, 2)), x=(1, 1, 5, 5), weight=(2, 1, 2, 5))
case("strided", lambda x, weight, bias: F.conv2d(x, weight, bias, stride=(2, 3), padding=(1, 2)),
     x=(2, 2, 8, 11), weight=(3, 2, 3, 4), bias=(3,))
case("dilated", lambda x, weight, bias: F.conv2d(x, weight, bias, padding=2, dilation=(2, 3)),
     x=(2, 2, 8, 9), weight=(3, 2, 3, 3), bias=(3,))
case("groups", lambda x, weight, bias: F.conv2d(x, weight, bias, padding=1, groups=3),
     x=(2, 6, 5, 6), weight=(9, 2, 3, 3), bias=(9,))
case("depthwise", lambda x, weight, bias: F.conv2d(x, weight, bias, stride=2, groups=4),
     x=(1, 4, 7, 7), weight=(4, 1, 3, 3), bias=(4,))
case("wide-padding", lambda x, weight, bias: F.conv2d(x, weight, bias, padding=3),
     x=(2, 1, 3, 4), weight=(2, 1, 2, 2), bias=(2,))
case("line", lambda x, weight, bias: F.conv1d(x, weight, bias, stride=2, padding=1, dilation=2),
     x=(2, 3, 20), weight=(4, 3, 3), bias=(4,))
case("max", lambda x: F.max_pool2d(x, 2), x=(2, 3, 7, 34))
case("max-overlapping", lambda x: F.max_pool2d(x, (3, 2), stride=(2, 1), padding=(1, 1)), x=(2, 2, 7, 8))
case("max-dilated", lambda x: F.max_pool2d(x, 2, stride=2, dilation=2), x=(1, 2, 7, 8))
case("relu-max", lambda x: F.max_pool2d(F.relu(x), 2), x=(2, 3, 6, 9))
case("average", lambda x: F.avg_pool2d(x, (2, 3)), x=(2, 2, 7, 8))
case("average-overlapping", lambda x: F.avg_pool2d(x, 3, stride=2, padding=1), x=(1, 2, 7, 6))

save_file(
    {name: np.ascontiguousarray(value, np.float64) for name, value in tensors.items()},
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "convolution.safetensors"))
