/// A rating of one sample by one rater.
public struct Rating: Hashable, Sendable, Identifiable {
    /// Verdicts of a rater.
    public enum Verdict: Hashable, Sendable {
        /// A grade, 1 to 5.
        case grade(Int)
        /// The answer is acceptable.
        case pass
        /// The answer is not acceptable.
        case fail
        /// Skipped: the sample moves to the end of the queue.
        case skipped

        /// Valid grades; 5 is the best.
        public static let grades = 1...5

        /// Whether the rating accepts the answer; `nil` for a skipped sample. A grade of at least 3 accepts it.
        public var passes: Bool? {
            switch self {
            case .grade(let grade): grade >= 3
            case .pass: true
            case .fail: false
            case .skipped: nil
            }
        }

        /// Name in files and on screens: `4`, `pass`, `fail`, `skipped`.
        public var name: String {
            switch self {
            case .grade(let grade): String(grade)
            case .pass: "pass"
            case .fail: "fail"
            case .skipped: "skipped"
            }
        }

        /// Parses the output of `name`.
        public init?(_ name: String) {
            switch name {
            case "pass": self = .pass
            case "fail": self = .fail
            case "skipped": self = .skipped
            default:
                guard name.utf8.count == 1, let grade = Int(name), Self.grades.contains(grade) else { return nil }
                self = .grade(grade)
            }
        }
    }

    /// Number in the workspace; later ratings have larger numbers.
    public var id: Int64
    /// Run: `EvalRun.ratingKey`.
    public var run: String
    /// Sample: `EvalRow.id`.
    public var sample: String
    /// Epoch, starting at 1.
    public var epoch: Int
    /// Name of the rater.
    public var rater: String
    /// Verdict of the rater.
    public var verdict: Verdict
    /// Note by the rater; may be empty.
    public var note: String
    /// Nanoseconds since 1970.
    public var time: Int64

    public init(
        id: Int64 = 0, run: String, sample: String, epoch: Int, rater: String, verdict: Verdict, note: String = "",
        time: Int64
    ) {
        self.id = id
        self.run = run
        self.sample = sample
        self.epoch = epoch
        self.rater = rater
        self.verdict = verdict
        self.note = note
        self.time = time
    }
}
