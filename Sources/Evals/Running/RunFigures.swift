internal import EvalLogs
internal import GRDB
internal import System
internal import Traces
internal import Workspace

/// The data of an ended sample that metrics need.
struct JudgedSample: Hashable, Sendable {
    var scores: [EvalScore]
    var answer: String

    /// - Parameter isWhole: Whether to keep texts; without them, a thousand long answers need no memory.
    init(scores: [EvalScore], answer: String, isWhole: Bool) {
        self.answer = isWhole ? answer : ""
        self.scores = scores.map { score in
            var score = score
            score.explanation = nil
            if !isWhole { score.answer = nil }
            return score
        }
    }
}

/// The figures of a run from its stored samples, in the order of the task: the same bytes however the run ended.
struct RunFigures {
    private let runner: EvalRunner
    private let id: Int64
    private let needsTexts: Bool
    private var judged: [Int: JudgedSample]

    /// - Parameter judged: Samples that ended in this process; the others are read.
    init(_ runner: EvalRunner, id: Int64, judged: [Int: JudgedSample], needsTexts: Bool) {
        self.runner = runner
        self.needsTexts = needsTexts
        self.id = id
        self.judged = judged
    }

    func metrics() throws -> RunMetrics {
        let (all, errors) = try complete()
        let task = runner.order.task
        let metrics = try Metrics.figures(of: task.metrics, scores: runner.plan.kinds) { kind in
            runner.plan.samples.indices.compactMap { sample($0, kind, all) }
        }
        // List a score that has no value for any sample, so that it does not vanish.
        let told = runner.plan.kinds.flatMap { kind -> [EvalMetric] in
            let found = metrics.filter { $0.score == kind.name }
            let isChosen = task.metrics.isEmpty || task.metrics.contains { $0.score == nil || $0.score == kind.name }
            guard found.isEmpty, isChosen, !all.isEmpty else { return found }
            let name = task.metrics.first { $0.score == nil || $0.score == kind.name }?.kind ?? MeanMetric.kind.name
            return [
                EvalMetric(
                    score: kind.name, name: name, value: .nan, count: 0, higherIsBetter: kind.higherIsBetter,
                    note: "none of the \(all.count) samples could be scored")
            ]
        }
        return RunMetrics(metrics: told.map { noted($0, errors: errors, of: all.count + errors) })
    }

    /// Returns a figure with notes for the reader: it includes no samples that ended in an error.
    private func noted(_ metric: EvalMetric, errors: Int, of ended: Int) -> EvalMetric {
        var metric = metric
        var notes = [metric.note].compactMap { $0 }
        if runner.plan.epochs > 1, Self.ofTexts.contains(metric.name) {
            notes.append("computed on the first scored epoch of each sample")
        }
        if errors > 0 {
            notes.append("\(errors) of \(ended) attempts ended in an error and are not included")
        }
        metric.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
        return metric
    }

    /// Metrics that use one answer per sample.
    static let ofTexts: Set = [
        "corpus_bleu", "corpus_chrf", "corpus_ter", CorpusROUGEMetric.kind.name, PerplexityMetric.kind.name,
    ]

    /// Returns a sample for metrics; `nil` if none of its epochs was answered.
    private func sample(_ number: Int, _ kind: EvalScoreKind, _ all: [Int: JudgedSample]) -> MetricSample? {
        let (sample, epochs) = (runner.plan.samples[number], runner.plan.epochs)
        let ended = (number * epochs..<(number + 1) * epochs).compactMap { all[$0] }
        guard let first = ended.first else { return nil }
        let scores = ended.map { judged in
            judged.scores.first { $0.name == kind.name } ?? EvalScore(kind.name, value: nil)
        }
        return MetricSample(
            id: sample.id, epochs: scores, reducer: runner.order.task.reducer, score: kind, cluster: sample.cluster,
            answer: first.answer, targets: sample.targets, right: sample.right,
            choices: sample.choices)
    }

    /// Returns all samples except errors, and the number of errors; reads those that another process wrote.
    private func complete() throws -> (judged: [Int: JudgedSample], errors: Int) {
        let keys = SampleKey.range(of: id)
        return try runner.workspace.read { db in
            var all: [Int: JudgedSample] = [:]
            var missing: [SampleKey] = []
            let ids = try Workspace.Statement(db, "SELECT id FROM eval_row WHERE id BETWEEN ? AND ?")
            ids.bind(1, keys.lowerBound)
            ids.bind(2, keys.upperBound)
            try ids.forEach { row in
                let key = SampleKey(id: row.int64(0))
                if let known = judged[key.index] { all[key.index] = known } else { missing.append(key) }
            }
            guard !missing.isEmpty else { return (all, 0) }
            let records = try Workspace.Statement(
                db, "SELECT eval_row.data, eval_record.data FROM eval_row JOIN eval_record USING (id) WHERE id = ?")
            let decompressor = try Decompressor()
            for key in missing {
                records.bind(1, key.id)
                do {
                    all[key.index] = try records.first { try read($0.blob(0), $0.blob(1), decompressor) } ?? nil
                } catch {
                    throw Problem(
                        .corrupt, "", "Sample \(key.index) of run \(id) is corrupt",
                        remedy: "Run orrery workspace check.")
                }
            }
            return (all, missing.count { all[$0.index] == nil })
        }
    }

    /// Reads a judged sample; `nil` if it ended in an error.
    private func read(
        _ row: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ decompressor: Decompressor
    ) throws -> JudgedSample? {
        guard try PackedRow.row(row, index: 0).outcome != .error else { return nil }
        let stored = try StoredSample(try decompressor.decompress(record))
        return JudgedSample(scores: stored.scores, answer: stored.solution.answer, isWhole: needsTexts)
    }
}

extension TaskSample {
    /// The correct choice; `nil` if there is none.
    var right: String? { rightChoice.flatMap { choices.indices.contains($0) ? choices[$0] : nil } }
}
