public import EvalLogs
internal import JSON
internal import System
internal import Traces

/// A comparison of two runs' answers by a judge, as an ordinary task: each joined sample is judged in both orders.
///
/// Each verdict is stored at once, counts against a budget, and is not requested again when the run is resumed.
///
/// ```swift
/// let plan = PreferencePlan(.run(12), .run(13))
/// let setup = EvalSetup(task: plan.word, models: [], judge: "openai:gpt-4o-mini")
/// ```
public struct PreferencePlan: Hashable, Sendable {
    /// Sources of answers.
    public enum Side: Hashable, Sendable {
        /// A run of the workspace.
        case run(Int64)
        /// A log of another program; `run` is `EvalRun.key`, since a file may hold several runs.
        case log(path: String, run: String)
    }

    /// The two sides to compare.
    public var a: Side
    public var b: Side
    /// Criteria for the better answer (default: the judge's own).
    public var criteria: String?

    public init(_ a: Side, _ b: Side, criteria: String? = nil) {
        self.a = a
        self.b = b
        self.criteria = criteria
    }

    private static let lead = "preference:"

    /// The word for the plan in place of a task file: `preference:` and an object.
    public var word: String {
        var members = [JSONValue.Member(key: "a", value: a.json), JSONValue.Member(key: "b", value: b.json)]
        if let criteria { members.append(.init(key: "criteria", value: .string(criteria))) }
        return Self.lead + JSONValue.object(members).json()
    }

    /// Parses the output of `word`; `nil` for the path of a file.
    public static func parse(_ word: String) -> PreferencePlan? {
        guard word.hasPrefix(lead), let value = try? JSONValue(json: String(word.dropFirst(lead.count))),
            let a = value["a"].flatMap(Side.init), let b = value["b"].flatMap(Side.init)
        else { return nil }
        return PreferencePlan(a, b, criteria: value["criteria"]?.string)
    }

    /// Returns the samples that both runs have answered, with A's and B's answers; the first of several epochs.
    ///
    /// - Throws: `Problem` if they have none in common, `Problem` and `EvalLogError` if one cannot be read.
    public func task(in store: EvalStore) throws -> EvalTask {
        let (one, other) = (try a.open(in: store), try b.open(in: store))
        let join = try EvalJoin(one, other)
        let name = "\(one.run.name) against \(other.run.name)"
        var samples: [TaskSample] = []
        var unanswered = 0
        for sample in join.samples {
            guard let left = sample.a.first, let right = sample.b.first else { continue }
            let (rowA, rowB) = (join.rowsA[left], join.rowsB[right])
            // A sample that ended in an error has no answer to compare.
            guard rowA.outcome != .error, rowB.outcome != .error else {
                unanswered += 1
                continue
            }
            let (first, second) = (try one.sample(rowA.index), try other.sample(rowB.index))
            let answer = RecordedAnswer(question: first.input, answer: first.answer ?? "")
            samples.append(
                TaskSample(
                    id: sample.id, request: .recorded(answer), targets: [second.answer ?? ""], cluster: rowA.cluster))
        }
        guard !samples.isEmpty else {
            throw Problem(
                .missing, name, "no sample has an answer in both runs", remedy: "Compare runs of the same task.")
        }
        var task = EvalTask(
            name: name, version: "1", summary: "A judge's preference between the answers of two runs, in both orders.",
            format: "orrery", samples: samples,
            scorers: [
                ScorerChoice(
                    PairwiseScorer.kind.name,
                    settings: ScorerSettings(criteria.map { [.init(key: "criteria", value: .string($0))] } ?? []))
            ], settings: [.init("a", one.run.key), .init("b", other.run.key)])
        if unanswered > 0 { task.notes.append("\(unanswered) samples ended in an error in one run and are left out.") }
        return task
    }
}

extension PreferencePlan.Side {
    fileprivate var json: JSONValue {
        switch self {
        case .run(let number): .integer(Int(number))
        case .log(let path, let run):
            .object([.init(key: "path", value: .string(path)), .init(key: "run", value: .string(run))])
        }
    }

    fileprivate init?(_ value: JSONValue) {
        if let number = value.int {
            self = .run(Int64(number))
        } else if let path = value["path"]?.string, let run = value["run"]?.string {
            self = .log(path: path, run: run)
        } else {
            return nil
        }
    }

    /// Opens the log of the side.
    ///
    /// - Throws: `Problem` if it no longer exists, and errors of reading a log.
    public func open(in store: EvalStore) throws -> any EvalLog {
        switch self {
        case .run(let number): return try store.log(number)
        case .log(let path, let run):
            guard let log = try EvalLogFormats.open(path).first(where: { $0.run.key == run }) else {
                throw Problem(.invalid, path, "run \(run) is no longer in the log")
            }
            return log
        }
    }
}
