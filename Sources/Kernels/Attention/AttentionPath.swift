internal import CKernels

/// Which instructions flash attention and attention over pages use.
public enum AttentionPath: String, CaseIterable, Sendable {
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

    /// Returns the path that a kernel takes.
    ///
    /// - Throws: `KernelError.unavailable` where the processor lacks its instructions.
    func resolved(_ kernel: String = "attention") throws(KernelError) -> Self {
        let lacking = needs.subtracting(.present)
        guard lacking.isEmpty else {
            throw .unavailable(variant: "\(kernel)/\(rawValue)", reason: "this processor has no \(lacking.names)")
        }
        return chosen
    }

    typealias Chunk = @convention(c) (UnsafeMutablePointer<orrery_attention>?, Int) -> Void

    // AVX kernels exist only on x86: elsewhere `resolved` rejects them.
    var forward: Chunk {
        switch chosen {
        #if arch(x86_64)
            case .avx2: orrery_attention_forward_avx2
            case .avx512: orrery_attention_forward_avx512
        #endif
        default: orrery_attention_forward_portable
        }
    }

    typealias PagedChunk = @convention(c) (UnsafeMutablePointer<orrery_paged_attention>?, Int) -> Void

    /// Attention over pages.
    var paged: PagedChunk {
        switch chosen {
        #if arch(x86_64)
            case .avx2: orrery_paged_attention_avx2
            case .avx512: orrery_paged_attention_avx512
        #endif
        default: orrery_paged_attention_portable
        }
    }

    /// δ and dQ by chunks of queries, then dK and dV by chunks of keys.
    var backward: (queries: Chunk, keys: Chunk) {
        switch chosen {
        #if arch(x86_64)
            case .avx2: (orrery_attention_backward_queries_avx2, orrery_attention_backward_keys_avx2)
            case .avx512: (orrery_attention_backward_queries_avx512, orrery_attention_backward_keys_avx512)
        #endif
        default: (orrery_attention_backward_queries_portable, orrery_attention_backward_keys_portable)
        }
    }
}
