/// Keeps what chosen hooks show over a whole generation.
///
/// ```swift
/// let capture = try HookCapture(["blocks.*.hook_resid_post"], for: transformer.configuration)
/// pass.visitor = capture
/// // ... any number of passes ...
/// try capture.activations().write(to: "hooks.safetensors")
/// ```
///
/// Rows of later passes are appended along T. Scores and patterns of earlier passes know fewer keys: what they lack is
/// -∞ or 0. `ln_final` and `unembed` have the rows alone whose logits were wanted. Of a batch with several sequences
/// the first is kept.
public final class HookCapture: HookVisitor {
    private let chosen: Set<Hook>
    private let order: [Hook]
    private var pieces: [Hook: [HookActivation]] = [:]
    private var segment = 0
    private var held = 0
    private let limit: Int

    /// More was shown than `limit` bytes: what came after is missing.
    public private(set) var isTruncated = false

    /// - Parameters:
    ///   - patterns: names of hooks; `*` stands for any text.
    ///   - limit: Maximum number of stored bytes.
    /// - Throws: `ModelError` where a pattern fits no hook of the model.
    public init(
        _ patterns: [String], for configuration: ModelConfiguration, limit: Int = 4 << 30
    ) throws(ModelError) {
        let hooks = Hook.allCases(for: configuration).map { (hook: $0, name: $0.name) }
        var chosen: Set<Hook> = []
        for text in patterns {
            let pattern = HookPattern(text)
            let fitting = hooks.filter { pattern.matches($0.name) }
            guard !fitting.isEmpty else {
                throw ModelError(
                    "hooks", problem: "unknown hook \"\(text)\"",
                    remedy: "Use TransformerLens names, such as blocks.0.hook_resid_post or "
                        + "blocks.*.attn.hook_pattern.")
            }
            chosen.formUnion(fitting.map(\.hook))
        }
        self.chosen = chosen
        order = hooks.map(\.hook).filter(chosen.contains)
        self.limit = limit
    }

    public func wants(_ hook: Hook) -> Bool { chosen.contains(hook) }

    public func willVisit(segment: Int) { self.segment = segment }

    public func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
        guard segment == 0 else { return }
        held += 4 * values.count
        guard held <= limit else {
            isTruncated = true
            return
        }
        pieces[hook, default: []].append(HookActivation(shape: shape, values: Array(values)))
    }

    /// Everything that was shown so far.
    public func activations() -> ActivationFile {
        var file = ActivationFile()
        for hook in order {
            guard let pieces = pieces[hook], !pieces.isEmpty else { continue }
            file.activations[hook] =
                hook.tokenAxis == 0 ? Self.appended(pieces) : Self.appended(pieces, missing: hook.missingKey)
        }
        return file
    }

    /// Forgets everything.
    public func reset() {
        pieces.removeAll(keepingCapacity: true)
        (held, isTruncated) = (0, false)
    }

    /// `[T, ...]`.
    private static func appended(_ pieces: [HookActivation]) -> HookActivation {
        var all = pieces[0]
        for piece in pieces.dropFirst() {
            all.shape[0] += piece.shape[0]
            all.values += piece.values
        }
        return all
    }

    /// `[H, T, K]`, K being the most of any piece.
    private static func appended(_ pieces: [HookActivation], missing: Float) -> HookActivation {
        let heads = pieces[0].shape[0]
        let tokens = pieces.reduce(0) { $0 + $1.shape[1] }
        let keys = pieces.reduce(0) { max($0, $1.shape[2]) }
        var values = [Float](repeating: missing, count: heads * tokens * keys)
        var first = 0
        for piece in pieces {
            let (rows, seen) = (piece.shape[1], piece.shape[2])
            for head in 0..<heads {
                for row in 0..<rows {
                    let (to, from) = ((head * tokens + first + row) * keys, (head * rows + row) * seen)
                    for key in 0..<seen { values[to + key] = piece.values[from + key] }
                }
            }
            first += rows
        }
        return HookActivation(shape: [heads, tokens, keys], values: values)
    }
}

extension Hook {
    /// What stands for a key that a query could not see.
    fileprivate var missingKey: Float {
        if case .scores = self { -.infinity } else { 0 }
    }
}
