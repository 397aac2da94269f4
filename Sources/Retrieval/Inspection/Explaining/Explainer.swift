public import System

/// Explains what each stage of a finished run did with a chunk, and which changes would include it in the context.
///
/// ```swift
/// let record = try run("what torque do the dome bolts need?")
/// let explanation = try Explainer(run).explain(document: "spec-12", in: record)
/// explanation.droppedBy               // "dense"
/// explanation.remedies[0].sentence    // "dense.k = 24 includes the chunk"
/// ```
/// Ranks behind the stage that let the chunk go are worked out by putting it in there and letting the later stages do
/// their work. A remedy is a change that was made, run, and seen to bring the chunk into the context.
public struct Explainer: Sendable {
    private let run: PipelineRun

    /// - Parameter run: Run that created the records, over the same state of the corpus.
    public init(_ run: PipelineRun) { self.run = run }

    /// Explains what happened to a chunk.
    ///
    /// - Parameter triesRemedies: False leaves them out, which is much faster.
    /// - Throws: `Problem` if there is no such chunk, or if the search was canceled.
    public func explain(
        chunk: Int64, in record: RetrievalRecord, triesRemedies: Bool = true,
        isCancelled: @Sendable () -> Bool = { false }
    ) throws(Problem) -> Explanation {
        if let hidden = try explanation(ofHidden: chunk, in: record) { return hidden }
        return try withoutActuallyEscaping(isCancelled) { isCancelled throws(Problem) in
            let investigation = try Investigation(run, record, chunk, isCancelled)
            var explanation = try investigation.explanation()
            if triesRemedies, explanation.droppedBy != nil {
                explanation.remedies = try RemedySearch(investigation).remedies(explanation)
            }
            return explanation
        }
    }

    /// Explains what happened to a document: to that chunk of it which came furthest, or fits the question best.
    ///
    /// - Parameter document: The id by which its owner calls it.
    public func explain(
        document: String, in record: RetrievalRecord, triesRemedies: Bool = true,
        isCancelled: @Sendable () -> Bool = { false }
    ) throws(Problem) -> Explanation {
        let chunk = try withoutActuallyEscaping(isCancelled) { isCancelled throws(Problem) in
            try bestChunk(of: document, in: record, isCancelled)
        }
        var explanation = try explain(
            chunk: chunk, in: record, triesRemedies: triesRemedies, isCancelled: isCancelled)
        if explanation.passage.document.isEmpty {
            explanation.passage.document = document
            explanation.passage.label = document
        }
        return explanation
    }

    /// Of a chunk that no search of this source may see: what hides it, and nothing that it says.
    private func explanation(ofHidden chunk: Int64, in record: RetrievalRecord) throws(Problem) -> Explanation? {
        guard try run.source.chunks([chunk]).isEmpty else { return nil }
        let exclusions = try run.source.exclusions(of: chunk, by: run.definition.filter)
        guard !exclusions.isEmpty else { return nil }
        let findings = Investigation.filtered(exclusions)
        let searching = record.stages.filter { $0.kind == .lexical || $0.kind == .dense }
        let stages = searching.map { stage in
            StageExplanation(stage: stage.name, kind: stage.kind, cause: .filter, findings: findings)
        }
        return Explanation(
            query: record.query, passage: Passage(chunk: chunk, document: "", label: "chunk \(chunk)"), stages: stages,
            droppedBy: searching.last?.name ?? record.stages.first?.name)
    }

    private func bestChunk(
        of document: String, in record: RetrievalRecord, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(Problem) -> Int64 {
        let chunks = try run.source.chunks(ofDocument: document)
        if chunks.isEmpty, let hidden = try run.source.hiddenChunks(ofDocument: document).first { return hidden }
        guard let first = chunks.first else {
            throw Problem(
                .missing, document, "\(run.source.corpus) has no chunks of this document",
                remedy: "List the documents with orrery corpus show.")
        }
        guard chunks.count > 1 else { return first }
        let wanted = Set(chunks)
        for stage in record.stages.reversed() {
            let entries = stage.entries.filter { entry in record[entry.passage].chunk.map(wanted.contains) ?? false }
            let best = entries.min { ($0.verdict.isKept ? 0 : 1, $0.rank) < ($1.verdict.isKept ? 0 : 1, $1.rank) }
            if let best, let chunk = record[best.passage].chunk { return chunk }
        }
        return try likeliest(chunks, record, isCancelled)
    }

    /// The chunk whose words and vector together fit the question best, each measured by the best of the document.
    private func likeliest(
        _ chunks: [Int64], _ record: RetrievalRecord, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(Problem) -> Int64 {
        let asker = PipelineWork.Asker(run, record.query, calls: CallList(), isCancelled: isCancelled)
        var notes: [String] = []
        var fits = [Double](repeating: 0, count: chunks.count)
        for question in try asker.questions(record.rewrites, notes: &notes) {
            var scores = [Double](repeating: 0, count: chunks.count)
            if let request = asker.lexicalRequest(question, nil) {
                for (index, chunk) in chunks.enumerated() {
                    if isCancelled() { throw .cancelled("explanation") }
                    scores[index] = try run.source.explainLexically(chunk, request).score
                }
            } else if let request = try asker.denseRequest(question, nil) {
                let query = Cosine.unit(request.vector)
                for (index, vector) in try run.source.vectors(of: chunks, space: request.space).enumerated() {
                    guard index < scores.count, let vector else { continue }
                    scores[index] = max(0, Cosine.dot(Cosine.unit(vector), query))
                }
            }
            guard let most = scores.max(), most > 0 else { continue }
            for index in fits.indices { fits[index] += scores[index] / most }
        }
        return chunks[fits.indices.max { (fits[$0], -$0) < (fits[$1], -$1) } ?? 0]
    }
}
