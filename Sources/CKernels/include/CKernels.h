// The SIMD kernels of Orrery: one header an operation. Every function has a scalar twin in Swift that is its test.
#pragma once

#include "ceilings.h"
#include "convolution.h"
#include "dot_products.h"
#include "elementwise.h"
#include "flash_attention.h"
#include "gradients.h"
#include "matrix_product.h"
#include "optimizer_steps.h"
#include "paged_attention.h"
#include "processor.h"
#include "rows.h"
#include "sources.h"
#include "thread_pool.h"
#include "weight_products.h"
