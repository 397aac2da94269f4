internal import CKernels

/// Which instructions attention over pages uses.
public enum PagedAttentionPath: String, CaseIterable, Sendable {
    /// The best that this processor has.
    case automatic
    case portable, avx2, avx512

    /// What it needs.
    public var needs: ProcessorFeatures {
        switch self {
        case .automatic, .portable: []
        case .avx2: .avx2
        case .avx512: .avx512
        }
    }

    private static let best: Self =
        ProcessorFeatures.present.contains(.avx512)
        ? .avx512
        : ProcessorFeatures.present.contains(.avx2) ? .avx2 : .portable

    /// The path that is taken: itself, or the best there is for `automatic`.
    public var chosen: Self { self == .automatic ? Self.best : self }

    /// - Throws: `KernelError.unavailable` where the processor lacks its instructions.
    func resolved() throws(KernelError) -> Self {
        let lacking = needs.subtracting(.present)
        guard lacking.isEmpty else {
            throw .unavailable(
                variant: "paged attention/\(rawValue)", reason: "this processor has no \(lacking.names)")
        }
        return chosen
    }

    typealias Chunk = @convention(c) (UnsafeMutablePointer<orrery_paged_attention>?, Int) -> Void

    // AVX kernels exist only on x86: elsewhere `resolved` rejects them.
    var forward: Chunk {
        switch chosen {
        #if arch(x86_64)
            case .avx2: orrery_paged_attention_avx2
            case .avx512: orrery_paged_attention_avx512
        #endif
        default: orrery_paged_attention_portable
        }
    }
}
