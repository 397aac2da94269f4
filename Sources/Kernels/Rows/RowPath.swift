internal import CKernels

/// The instructions that a row kernel uses.
package enum RowPath: String, CaseIterable, Sendable {
    case portable, avx2, avx512

    /// The widest that this processor has.
    package static let best: RowPath = allCases.last { $0.isPresent } ?? .portable

    package var needs: ProcessorFeatures {
        switch self {
        case .portable: []
        case .avx2: .avx2
        case .avx512: .avx512
        }
    }

    package var isPresent: Bool { needs.isSubset(of: .present) }
}

/// x, its stride, y, its stride, rows, columns.
typealias SoftmaxKernel = (UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int, Int, Int) -> Void
/// x, its stride, y, its stride, gain, bias, epsilon, rows, columns.
typealias LayerNormKernel = (
    UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int, UnsafePointer<Float>?, UnsafePointer<Float>?, Float,
    Int, Int
) -> Void
/// x, its stride, y, its stride, gain, epsilon, rows, columns.
typealias RMSNormKernel = (
    UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int, UnsafePointer<Float>?, Float, Int, Int
) -> Void
/// x, y, count.
typealias ExpKernel = (UnsafePointer<Float>?, UnsafeMutablePointer<Float>?, Int) -> Void

extension RowPath {
    #if arch(x86_64)
        var softmax: SoftmaxKernel {
            switch self {
            case .portable: orrery_softmax_portable
            case .avx2: orrery_softmax_avx2
            case .avx512: orrery_softmax_overlapped
            }
        }

        var layerNorm: LayerNormKernel {
            switch self {
            case .portable: orrery_layer_norm_portable
            case .avx2: orrery_layer_norm_avx2
            case .avx512: orrery_layer_norm_avx512
            }
        }

        var rmsNorm: RMSNormKernel {
            switch self {
            case .portable: orrery_rms_norm_portable
            case .avx2: orrery_rms_norm_avx2
            case .avx512: orrery_rms_norm_avx512
            }
        }

        var exp: ExpKernel {
            switch self {
            case .portable: orrery_exp_portable
            case .avx2: orrery_exp_avx2
            case .avx512: orrery_exp_avx512
            }
        }
    #else
        var softmax: SoftmaxKernel { orrery_softmax_portable }
        var layerNorm: LayerNormKernel { orrery_layer_norm_portable }
        var rmsNorm: RMSNormKernel { orrery_rms_norm_portable }
        var exp: ExpKernel { orrery_exp_portable }
    #endif
}
