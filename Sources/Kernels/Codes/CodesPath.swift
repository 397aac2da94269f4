internal import CKernels

/// The instructions that a kernel of codes uses.
package enum CodesPath: String, CaseIterable, Sendable {
    case portable, avx2, avx512

    /// The widest that this processor has.
    package static let best: CodesPath = allCases.last { $0.isPresent } ?? .portable

    package var isPresent: Bool {
        switch self {
        case .portable: true
        case .avx2: ProcessorFeatures.present.contains(.avx2)
        case .avx512: ProcessorFeatures.present.contains(.avx512)
        }
    }
}

/// The functions of a path, found once.
struct CodesKernels: Sendable {
    typealias Floats = UnsafePointer<Float>
    typealias Results = UnsafeMutablePointer<Float>

    let tables: @Sendable (Floats?, Int, Floats?, Floats?, Float, Int, Results?) -> Void
    let nearest:
        @Sendable (
            Floats?, Int, Int, Int, Floats?, Floats?, Float, Int, UnsafeMutablePointer<Int32>?, Results?
        ) -> Void
    let scan: @Sendable (Floats?, UnsafePointer<UInt8>?, Floats?, Float, Int, Int, Results?) -> Void
    let hamming:
        @Sendable (UnsafePointer<UInt64>?, UnsafePointer<UInt64>?, Int, Int, UnsafeMutablePointer<UInt16>?) -> Void
    let below: @Sendable (Floats?, Int, Float, UnsafeMutablePointer<Int32>?) -> Int

    static let portable = CodesKernels(
        tables: orrery_codes_tables_portable, nearest: orrery_codes_nearest_portable,
        scan: orrery_codes_scan_portable, hamming: orrery_codes_hamming_portable, below: orrery_codes_below_portable)

    #if arch(x86_64)
        static let avx2 = CodesKernels(
            tables: orrery_codes_tables_avx2, nearest: orrery_codes_nearest_avx2, scan: orrery_codes_scan_avx2,
            hamming: orrery_codes_hamming_avx2,
            below: orrery_codes_below_avx2)
        static let avx512 = CodesKernels(
            tables: orrery_codes_tables_avx512, nearest: orrery_codes_nearest_avx512,
            scan: orrery_codes_scan_avx512,
            hamming: orrery_codes_features() & UInt32(ORRERY_CODES_VPOPCNT) != 0
                ? orrery_codes_hamming_vpopcnt : orrery_codes_hamming_avx512,
            below: orrery_codes_below_avx512)
    #endif
    static let best = CodesPath.best.kernels
}

extension CodesPath {
    #if arch(x86_64)
        var kernels: CodesKernels {
            switch self {
            case .portable: .portable
            case .avx2: .avx2
            case .avx512: .avx512
            }
        }
    #else
        var kernels: CodesKernels { .portable }
    #endif
}
