public import EvalLogs
internal import JSON
public import Retrieval

/// The usable questions of a run of `TestSetPlan.task`.
public struct TestSet: Equatable, Sendable {
    /// Questions with the words that answer them, as `corpus evaluate` reads them.
    public var questions: QuestionSet
    /// Questions left out, by reason, most common first.
    public var dropped: [Dropped]

    /// The number of questions left out for one reason.
    public struct Dropped: Hashable, Sendable {
        /// Reason in a few words, without a full stop.
        public var reason: String
        /// Number of answers in the run.
        public var count: Int

        public init(reason: String, count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    /// Requirements for human approval.
    public enum Approval: Hashable, Sendable {
        /// All usable questions except rejected ones.
        case unlessRejected
        /// Only approved questions.
        case reviewed
    }

    /// Creates a test set from the whole run; of near-duplicate questions, the first is kept.
    ///
    /// - Parameters:
    ///   - log: Log of the run.
    ///   - ratings: Current ratings of all raters, as returned by `ReviewStore.ratings(of:)`.
    /// - Throws: `EvalLogError` if the run cannot be read, `Problem` for a question that no set accepts.
    public init(_ log: any EvalLog, ratings: [Rating], approval: Approval = .unlessRejected) throws {
        var (questions, counts): (QuestionSet, [String: Int]) = (QuestionSet(), [:])
        var finder = DuplicateFinder()
        var candidates: [(label: Int64, sample: EvalSampleRecord, made: TestQuestion, gold: QuestionSet.Gold)] = []
        let opinions = Dictionary(grouping: ratings) { "\($0.epoch) \($0.sample)" }
        for row in try log.allRows() {
            let passes = (opinions["\(row.epoch) \(row.id)"] ?? []).compactMap(\.verdict.passes)
            if passes.contains(false) {
                counts["rejected by a reviewer", default: 0] += 1
            } else if approval == .reviewed, passes.isEmpty {
                counts["not reviewed", default: 0] += 1
            } else {
                switch try Self.candidate(log.sample(row.index)) {
                case .failure(let reason): counts[reason.text, default: 0] += 1
                case .success(let (sample, made, gold)):
                    candidates.append((Int64(candidates.count), sample, made, gold))
                }
            }
        }
        finder.add(candidates.map { ($0.label, $0.made.question) })
        let repeats = Set(finder.report().redundant)
        for candidate in candidates {
            if repeats.contains(candidate.label) {
                counts["near-duplicate of another question", default: 0] += 1
            } else {
                try questions.append(
                    .init(id: questions.nextID, question: candidate.made.question, gold: [candidate.gold]))
            }
        }
        self.questions = questions
        dropped = counts.map { Dropped(reason: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.reason) < ($0.count, $1.reason)
        }
    }

    private struct Reason: Error {
        var text: String
    }

    private static func candidate(
        _ sample: EvalSampleRecord
    ) -> Result<(EvalSampleRecord, TestQuestion, QuestionSet.Gold), Reason> {
        guard let answer = sample.answer else { return .failure(Reason(text: "no answer")) }
        guard let passage = sample.metadata.flatMap(KeptPassage.init) else {
            return .failure(Reason(text: "the run did not record a passage"))
        }
        do {
            let made = try TestQuestion(parsing: answer)
            if let flaw = made.flaw(in: passage.text) { return .failure(Reason(text: flaw.sentence)) }
            guard let quote = QuoteSearch.range(of: made.quote, in: passage.text) else {
                return .failure(Reason(text: TestQuestion.Flaw.quoteIsNotThere.sentence))
            }
            let (end, isTooFar) = passage.start.addingReportingOverflow(quote.upperBound)
            guard !isTooFar else { return .failure(Reason(text: "the run did not record a passage")) }
            let range = (end - quote.count)..<end
            return .success((sample, made, QuestionSet.Gold(passage.document, range: range)))
        } catch {
            return .failure(Reason(text: "the model's answer cannot be read"))
        }
    }
}

/// The passage of a sample, as stored in the run.
private struct KeptPassage {
    var document: String
    var start: Int
    var text: String

    init?(_ json: String) {
        guard let fields = try? JSONValue(json: json), let document = fields["document"]?.string,
            let start = fields["start"]?.int, start >= 0, let text = fields["text"]?.string
        else { return nil }
        self.document = document
        self.start = start
        self.text = text
    }
}
