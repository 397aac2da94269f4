internal import EvalLogs
internal import Hashing
internal import JSON
internal import LanguageModels
public import Retrieval
internal import Statistics

/// The passages of a corpus to make questions from, and the request to a model for them.
///
/// An ordinary task asks for the questions: each passage is a sample, so that results are stored at once, the run can
/// be resumed, and people read the questions in the review queue before they become a test set.
///
/// ```swift
/// let task = try TestSetPlan(count: 50).task(of: corpus, in: store)
/// ```
public struct TestSetPlan: Hashable, Sendable {
    /// Maximum number of passages, and of questions.
    public var count: Int
    /// Seed for choosing passages; equal seeds choose equal passages of a corpus.
    public var seed: UInt64
    /// Minimum bytes of a passage.
    public var shortest: Int
    /// Whether to include documents that duplicate another.
    public var takesDuplicates: Bool

    public init(count: Int = 50, seed: UInt64 = 0, shortest: Int = 160, takesDuplicates: Bool = false) {
        self.count = count
        self.seed = seed
        self.shortest = shortest
        self.takesDuplicates = takesDuplicates
    }

    /// Returns the word for the plan in place of a task file: corpus, count, shortest, seed, as in
    /// `questions:northfold,50,160,0`.
    public func word(for corpus: String) -> String {
        "questions:\(corpus),\(count),\(shortest),\(seed)" + (takesDuplicates ? ",duplicates" : "")
    }

    /// Parses the output of `word`; `nil` for the path of a file.
    package static func parse(_ word: String) -> (corpus: String, plan: TestSetPlan)? {
        guard word.hasPrefix("questions:") else { return nil }
        var parts = word.dropFirst(10).split(separator: ",", omittingEmptySubsequences: false)[...]
        let takesDuplicates = parts.last == "duplicates"
        if takesDuplicates { parts.removeLast() }
        guard parts.count >= 4, let seed = UInt64(parts.removeLast()), let shortest = Int(parts.removeLast()),
            let count = Int(parts.removeLast()), count > 0, shortest >= 0, parts.contains(where: { !$0.isEmpty })
        else { return nil }
        let plan = TestSetPlan(count: count, seed: seed, shortest: shortest, takesDuplicates: takesDuplicates)
        return (parts.joined(separator: ","), plan)
    }

    /// Version of the prompt, which is part of the task's version.
    public static let promptVersion = "1"

    /// Returns the task that asks for questions. Passages are spread over the documents: no document provides a second
    /// one before every other has provided its first.
    ///
    /// - Throws: `TaskError` if the corpus has no suitable passage, and errors of the workspace.
    public func task(of corpus: Corpus, in store: CorpusStore) throws -> EvalTask {
        let passages = try passages(of: corpus, in: store)
        guard !passages.isEmpty else {
            throw TaskError(
                path: corpus.name, problem: "the corpus has no passage of at least \(shortest) bytes",
                remedy: "Add documents, or allow shorter passages.")
        }
        return EvalTask(
            name: "questions-\(corpus.name)", version: Self.promptVersion,
            summary: "Generates a question for each passage of \(corpus.name).", format: "orrery",
            samples: passages.map(\.sample), scorers: [ScorerChoice(TestQuestionScorer.kind.name)],
            slices: ["kind"],
            settings: [
                .init("corpus", corpus.name), .init("passages", String(passages.count)), .init("seed", String(seed)),
            ])
    }

    private func passages(of corpus: Corpus, in store: CorpusStore) throws -> [SourcePassage] {
        var documents = try store.documents(of: corpus.id, limit: 1_000_000).filter {
            takesDuplicates || $0.duplicate == nil
        }
        var lot = SplitMix64(seed: seed)
        documents.shuffle(using: &lot)
        // One chunk of each document in turn; each document has its own order of chunks. Documents beyond the last
        // needed one are never read.
        var waiting: [(document: DocumentRow, chunks: ArraySlice<ChunkRow>)] = []
        var found: [SourcePassage] = []
        for document in documents where found.count < count {
            var chunks = try store.chunks(of: document.id).filter { $0.isIndexed && $0.range.count >= shortest }[...]
            chunks.shuffle(using: &lot)
            guard let chunk = chunks.popFirst() else { continue }
            found.append(SourcePassage(document: document, chunk: chunk, text: try store.text(of: chunk)))
            if !chunks.isEmpty { waiting.append((document, chunks)) }
        }
        while found.count < count, !waiting.isEmpty {
            for place in waiting.indices where found.count < count {
                guard let chunk = waiting[place].chunks.popFirst() else { continue }
                found.append(
                    SourcePassage(document: waiting[place].document, chunk: chunk, text: try store.text(of: chunk)))
            }
            waiting.removeAll(where: \.chunks.isEmpty)
        }
        return found
    }
}

/// A passage to ask about.
private struct SourcePassage {
    var document: DocumentRow
    var chunk: ChunkRow
    var text: String

    var sample: TaskSample {
        TaskSample(
            id: "\(document.name)#\(chunk.ordinal)",
            request: .generation(
                ModelRequest(
                    .messages(
                        [Message(.user, [.text(TestQuestion.prompt(for: text, heading: chunk.heading))])], tools: []),
                    sampling: Sampling(temperature: 0, maximumTokens: 400))),
            cluster: document.name, slices: [document.kind],
            fields: .object([
                .init(key: "document", value: .string(document.name)),
                .init(key: "kind", value: .string(document.kind)),
                .init(key: "start", value: .integer(chunk.range.lowerBound)),
                .init(key: "end", value: .integer(chunk.range.upperBound)),
                .init(key: "text", value: .string(text)),
            ]))
    }
}
