internal import Synchronization
internal import System

/// A cache for pipeline runs over one source: rephrased queries, vectors, and scores.
///
/// Explanations run many changed pipelines; with this they cost what changed.
public final class PipelineMemory: Sendable {
    struct Pair: Hashable {
        var model: String
        var query: String
        var chunk: Int64
    }

    struct Embedded: Hashable {
        var space: String
        var role: EmbeddingRole
        var text: String
    }

    private struct State {
        var scores: [Pair: Double] = [:]
        var vectors: [Embedded: [Float]] = [:]
        var answers: [String: String] = [:]
        var filters: [String: ChunkFilter] = [:]
        var chunks: [Int64: ChunkContent] = [:]
        var shingles: [Int64: Set<UInt64>] = [:]
    }

    private static let most = 65_536
    private let state = Mutex(State())

    public init() {}

    func scores(of pairs: [Pair]) -> [Double?] { state.withLock { state in pairs.map { state.scores[$0] } } }

    func keep(_ score: Double, of pair: Pair) {
        state.withLock { state in
            if state.scores.count >= Self.most { state.scores = [:] }
            state.scores[pair] = score
        }
    }

    /// Returns the word shingles of a chunk, with which the context detects near-duplicates.
    func shingles(of chunk: ChunkContent) -> Set<UInt64> {
        if let known = state.withLock({ $0.shingles[chunk.id] }) { return known }
        let made = Shingles.of(chunk.text)
        state.withLock { state in
            if state.shingles.count >= 4_096 { state.shingles = [:] }
            state.shingles[chunk.id] = made
        }
        return made
    }

    /// Returns the cached reply of a language model to a prompt.
    func answer(to prompt: String, by model: String) -> String? { state.withLock { $0.answers[model + "\0" + prompt] } }

    func keep(_ answer: String, to prompt: String, by model: String) {
        state.withLock { state in
            if state.answers.count >= 4_096 { state.answers = [:] }
            state.answers[model + "\0" + prompt] = answer
        }
    }

    /// Vectors that are known, or made by `make`, which gets the unknown texts, each once.
    func vectors(
        of texts: [String], as role: EmbeddingRole, space: String,
        make: ([String]) throws(Problem) -> [[Float]]
    ) throws(Problem) -> [[Float]] {
        let keys = texts.map { Embedded(space: space, role: role, text: $0) }
        var found = state.withLock { state in keys.map { state.vectors[$0] } }
        let open = found.indices.filter { found[$0] == nil }
        guard !open.isEmpty else { return found.compactMap { $0 } }
        let made = try make(open.map { texts[$0] })
        guard made.count == open.count else {
            throw Problem(.failed, space, "the embedder returned \(made.count) vectors for \(open.count) texts")
        }
        for (place, vector) in zip(open, made) { found[place] = vector }
        state.withLock { state in
            if state.vectors.count >= 4_096 { state.vectors = [:] }
            for (place, vector) in zip(open, made) { state.vectors[keys[place]] = vector }
        }
        return found.compactMap { $0 }
    }

    func filter(
        _ expression: String, make: (String) throws(Problem) -> ChunkFilter
    ) throws(Problem) -> ChunkFilter {
        if let known = state.withLock({ $0.filters[expression] }) { return known }
        let made = try make(expression)
        state.withLock { state in
            if state.filters.count >= 64 { state.filters = [:] }
            state.filters[expression] = made
        }
        return made
    }

    /// Chunks in the order of `ids`; those that there are not are left out.
    func chunks(
        _ ids: [Int64], make: ([Int64]) throws(Problem) -> [ChunkContent]
    ) throws(Problem) -> [ChunkContent] {
        let open = state.withLock { state in ids.filter { state.chunks[$0] == nil } }
        if !open.isEmpty {
            let made = try make(open)
            state.withLock { state in
                if state.chunks.count >= Self.most { state.chunks = [:] }
                for chunk in made { state.chunks[chunk.id] = chunk }
            }
            // What was thrown out meanwhile is read again.
            if state.withLock({ state in !ids.allSatisfy { state.chunks[$0] != nil } }) { return try make(ids) }
        }
        return state.withLock { state in ids.compactMap { state.chunks[$0] } }
    }
}
