internal import CKernels

/// The instructions that an elementwise kernel uses.
package enum ElementwisePath: String, CaseIterable, Sendable {
    case portable, avx512

    package static let best: ElementwisePath = allCases.last { $0.isPresent } ?? .portable

    package var isPresent: Bool { self == .portable || ProcessorFeatures.present.contains(.avx512) }

    /// x, factor or nil, y, count.
    typealias Curve =
        @convention(c) (UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafeMutablePointer<Float>?, Int) -> Void
    /// x, y, count.
    typealias Sum = @convention(c) (UnsafePointer<Float>?, UnsafeMutablePointer<Float>?, Int) -> Void
    /// factor, x, y, count.
    typealias ScaledSum = @convention(c) (Float, UnsafePointer<Float>?, UnsafeMutablePointer<Float>?, Int) -> Void
    /// number, x, count.
    typealias Change = @convention(c) (Float, UnsafeMutablePointer<Float>?, Int) -> Void
    /// x, count.
    typealias Search = @convention(c) (UnsafePointer<Float>?, Int) -> Int
    /// x, heads, width of a head, pairs, cosines, sines.
    typealias Rotation =
        @convention(c) (
            UnsafeMutablePointer<Float>?, Int, Int, Int, UnsafePointer<Float>?, UnsafePointer<Float>?
        ) -> Void

    /// The kernels of one path.
    struct Kernels {
        let silu, geluTanh, gelu, relu: Curve
        let add: Sum
        let addScaled: ScaledSum
        let scale, softcap: Change
        let argmax: Search
        let rotateHalves, rotateAdjacent: Rotation

        static let portable = Kernels(
            silu: orrery_silu_portable, geluTanh: orrery_gelu_tanh_portable, gelu: orrery_gelu_portable,
            relu: orrery_relu_portable, add: orrery_add_portable, addScaled: orrery_add_scaled_portable,
            scale: orrery_scale_portable, softcap: orrery_softcap_portable, argmax: orrery_argmax_portable,
            rotateHalves: orrery_rotate_halves_portable, rotateAdjacent: orrery_rotate_adjacent_portable)

        #if arch(x86_64)
            static let avx512 = Kernels(
                silu: orrery_silu_avx512, geluTanh: orrery_gelu_tanh_avx512, gelu: orrery_gelu_avx512,
                relu: orrery_relu_avx512, add: orrery_add_avx512, addScaled: orrery_add_scaled_avx512,
                scale: orrery_scale_avx512, softcap: orrery_softcap_avx512, argmax: orrery_argmax_avx512,
                rotateHalves: orrery_rotate_halves_avx512, rotateAdjacent: orrery_rotate_adjacent_avx512)
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
