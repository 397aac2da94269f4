import EvalLogs
import Evals
import LanguageModels
import Traces

/// A log in memory, made up by a test.
final class MadeLog: EvalLog {
    let run: EvalRun
    private let records: [EvalSampleRecord]
    private let spans: [SpanRecord]

    /// - Parameter spans: Spans of every sample.
    init(_ records: [EvalSampleRecord], slices: [String] = [], spans: [SpanRecord] = []) {
        self.records = records
        self.spans = spans
        run = EvalRun(
            key: "7", name: "made", task: "made", model: "none", format: "orrery", state: .done, total: records.count,
            completed: records.count, scores: [EvalScoreKind("exact")], slices: slices)
    }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        records[range.clamped(to: records.indices)].map(\.row)
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord { records[index] }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] { spans }
}

extension EvalSampleRecord {
    /// Returns a sample with one score.
    static func made(
        _ index: Int = 0, _ outcome: EvalRow.Outcome = .failed, input: String = "question", answer: String? = "no",
        targets: [String] = [], extracted: String? = nil, problem: String? = nil, metadata: String? = nil,
        steps: [EvalStep] = [], failingStep: Int? = nil, trace: String? = nil
    ) -> EvalSampleRecord {
        let value: Double? = outcome == .passed ? 1 : outcome == .failed ? 0 : nil
        return EvalSampleRecord(
            row: EvalRow(
                index: index, id: "s\(index)", outcome: outcome, scores: [value ?? .nan], input: input,
                problem: outcome == .error ? problem : nil),
            input: input, answer: answer, targets: targets,
            scores: [EvalScore("exact", value: value, answer: extracted, problem: problem)], metadata: metadata,
            steps: steps, failingStep: failingStep, trace: trace)
    }
}
