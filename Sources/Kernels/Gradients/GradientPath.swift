internal import CKernels

/// The instructions that the passes of training use.
package enum GradientPath: String, CaseIterable, Sendable {
    case portable, avx512

    package static let best: GradientPath = allCases.last { $0.isPresent } ?? .portable

    package var isPresent: Bool { self == .portable || ProcessorFeatures.present.contains(.avx512) }

    typealias Numbers = UnsafePointer<Float>?
    typealias Results = UnsafeMutablePointer<Float>?

    /// The kernels of one path, in the words of `gradients.h`.
    struct Kernels {
        let normForward: @convention(c) (Numbers, Numbers, Numbers, Float, Results, Results, Results, Int, Int) -> Void
        let normBackward:
            @convention(c) (Numbers, Numbers, Numbers, Numbers, Numbers, Results, Results, Results, Int, Int) -> Void
        let curveForward: @convention(c) (Int32, Numbers, Numbers, Results, Int) -> Void
        let curveBackward: @convention(c) (Int32, Numbers, Numbers, Numbers, Results, Results, Int) -> Void
        let crossEntropyForward:
            @convention(c) (Numbers, UnsafePointer<Int32>?, Float, Results, Results, Int, Int) -> Void
        let crossEntropyBackward:
            @convention(c) (Numbers, UnsafePointer<Int32>?, Float, Float, Numbers, Results, Int, Int) -> Void
        let columnSums: @convention(c) (Numbers, Results, Int, Int) -> Void
        let addBias: @convention(c) (Numbers, Results, Int, Int) -> Void
        let scatterAdd: @convention(c) (Numbers, UnsafePointer<Int32>?, Int, Results, Int, Int, Int) -> Void
        let dropout: @convention(c) (UnsafePointer<orrery_mask>?, Numbers, Results, Int, Int) -> Void

        static let portable = Kernels(
            normForward: orrery_norm_forward_portable, normBackward: orrery_norm_backward_portable,
            curveForward: orrery_curve_forward_portable, curveBackward: orrery_curve_backward_portable,
            crossEntropyForward: orrery_cross_entropy_forward_portable,
            crossEntropyBackward: orrery_cross_entropy_backward_portable, columnSums: orrery_column_sums_portable,
            addBias: orrery_add_bias_portable, scatterAdd: orrery_scatter_add_portable,
            dropout: orrery_dropout_portable)

        #if arch(x86_64)
            static let avx512 = Kernels(
                normForward: orrery_norm_forward_avx512, normBackward: orrery_norm_backward_avx512,
                curveForward: orrery_curve_forward_avx512, curveBackward: orrery_curve_backward_avx512,
                crossEntropyForward: orrery_cross_entropy_forward_avx512,
                crossEntropyBackward: orrery_cross_entropy_backward_avx512, columnSums: orrery_column_sums_avx512,
                addBias: orrery_add_bias_avx512, scatterAdd: orrery_scatter_add_avx512,
                dropout: orrery_dropout_avx512)
        #else
            static let avx512 = portable
        #endif
    }

    var kernels: Kernels {
        switch self {
        case .portable: .portable
        case .avx512: .avx512
        }
    }
}
