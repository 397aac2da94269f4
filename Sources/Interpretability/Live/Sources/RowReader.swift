internal import Inference
internal import Models
internal import System
internal import Tokenizers

/// Reads the rows of one hook of sequences, several in a batch, and ends each pass as soon as it has them.
final class RowReader {
    let model: InspectedModel
    let hook: Hook
    /// Numbers of a row.
    let width: Int
    private let pass: ForwardPass

    /// - Throws: An error if the model has no such hook, or it has no rows of tokens.
    init(_ model: InspectedModel, _ hook: Hook) throws(Problem) {
        guard model.hooks.contains(hook) else { throw .noHook(hook.name, among: model.hooks) }
        guard !hook.isByHead else {
            throw Problem(
                .invalid, hook.name, "the hook has rows per head and key, not per token",
                remedy: "Use a hook such as blocks.0.hook_resid_post.")
        }
        self.model = model
        self.hook = hook
        width = hook.shape(for: model.configuration, tokens: 1, keys: 1).dropFirst().reduce(1, *)
        pass = ForwardPass(pool: model.pool)
    }

    /// The rows of each sequence, `[tokens, width]`.
    ///
    /// - Throws: An error if it was canceled, a token is foreign, or memory is short.
    func rows(
        of sequences: [[TokenID]], isCancelled: () -> Bool
    ) throws(Problem) -> [[Float]] {
        let visitor = Visitor(hook, sequences: sequences.count)
        pass.visitor = visitor
        defer { pass.visitor = nil }
        // Keys and values of a batch live no longer than its pass.
        let outputs: Segment.Outputs = hook.layer == nil ? .all : .none
        let segments = sequences.map { Segment($0, cache: KVSequence(model.pages), outputs: outputs) }
        do {
            try withoutActuallyEscaping(isCancelled) { isCancelled throws(ModelError) in
                // Layers behind the hook say nothing that is asked for.
                pass.isCancelled = { visitor.isDone || isCancelled() }
                defer { pass.isCancelled = nil }
                _ = try model.transformer.forward(segments, in: pass)
            }
        } catch {
            guard error.isCancellation, visitor.isDone else {
                throw error.isCancellation ? .cancelled() : Problem(error)
            }
        }
        return visitor.rows
    }

    private final class Visitor: HookVisitor {
        private let hook: Hook
        private var segment = 0
        private var seen = 0
        private(set) var rows: [[Float]]

        init(_ hook: Hook, sequences: Int) {
            self.hook = hook
            rows = Array(repeating: [], count: sequences)
        }

        var isDone: Bool { seen == rows.count && hook.layer != nil }

        func wants(_ hook: Hook) -> Bool { hook == self.hook }
        func willVisit(segment: Int) { self.segment = segment }

        func visit(
            _ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int
        ) {
            guard hook == self.hook else { return }
            rows[segment] = Array(values)
            seen += 1
        }
    }
}
