internal import Tensors

extension Readout {
    /// Rows `[N, D]` behind the norm.
    func normed(_ rows: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        switch norm {
        case .none: rows
        case .layer(let gain, let bias, let epsilon):
            try layerNorm(rows, weight: gain, bias: bias, epsilon: Double(epsilon))
        case .rms(let gain, let epsilon): try rmsNorm(rows, weight: gain, epsilon: Double(epsilon))
        }
    }

    /// Rows `[N, D]` behind the norm, divided by scales `[N]` that are given.
    func normed(_ rows: Tensor<Scalar>, scale: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        switch norm {
        case .none: rows
        case .layer(let gain, let bias, _):
            try (rows - rows.mean(-1, keepingAxes: true)) / scale.expanded(at: 1) * gain + bias
        case .rms(let gain, _): try rows / scale.expanded(at: 1) * gain
        }
    }

    /// The gradient with respect to rows `[N, D]`, of the gradient with respect to what the norm made of them.
    func normGradient(_ rows: Tensor<Scalar>, _ gradient: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        let (gain, isCentered): (Tensor<Scalar>, Bool)
        switch norm {
        case .none: return gradient
        case .layer(let factor, _, _): (gain, isCentered) = (factor, true)
        case .rms(let factor, _): (gain, isCentered) = (factor, false)
        }
        let scales = try scale(of: rows).expanded(at: 1)
        let normalized = try (isCentered ? rows - rows.mean(-1, keepingAxes: true) : rows) / scales
        var inner = try gradient * gain
        let along = try (inner * normalized).mean(-1, keepingAxes: true)
        if isCentered { inner = try inner - inner.mean(-1, keepingAxes: true) }
        return try (inner - normalized * along) / scales
    }
}
