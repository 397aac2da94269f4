internal import Configuration
public import EvalLogs
internal import Statistics
internal import System
internal import Traces

/// Drift between two runs in tokens, seconds, answer length, a score, or a property (the share of samples per value).
///
/// The samples need not be the same; every attempt counts. Source for the choice of test and its limits: Evidently 0.7.
public struct EvalDrift: Sendable {
    /// A measure of drift.
    public struct Figure: Hashable, Sendable {
        /// Name of the test or the distance.
        public var name: String
        /// The test's statistic, or the distance.
        public var value: Double
        /// Two-sided p value; `nil` for a distance.
        public var p: Double?
        /// Limit of drift: p below it, or a value of at least it.
        public var limit: Double
        /// Whether this figure decides if there is drift.
        public var decides: Bool
        /// Whether the measure indicates drift.
        public var isDrift: Bool { p.map { $0 < limit } ?? (value >= limit) }
    }

    /// Run A, the reference; run B is checked for drift.
    public let reference: EvalRun
    public let current: EvalRun
    /// Subject of the comparison: `tokens`, `answer length`, a score, or a property.
    public let subject: String
    /// Number of attempts with a value in A.
    public let countReference: Int
    public let countCurrent: Int
    /// Number of attempts without a value, in both runs combined.
    public let missing: Int
    /// Median in A; `nil` for categorical values.
    public let medianReference: Double?
    public let medianCurrent: Double?
    /// Measures of drift; empty if a run has no values.
    public let figures: [Figure]

    /// Whether the deciding figure shows drift; `false` if a run has no values.
    public var isDrift: Bool { figures.first(where: \.decides)?.isDrift ?? false }

    /// Subjects other than scores and properties.
    public static let subjects = ["tokens", "seconds", "cost", "answer length"]

    /// - Throws: `Problem` if the runs do not have the subject, `EvalLogError` if answers cannot be read.
    public init(
        _ reference: any EvalLog, _ current: any EvalLog, of word: String,
        isCancelled: @Sendable () -> Bool = { false }
    ) throws {
        let (one, other) = (try Subject(word, reference.run), try Subject(word, current.run))
        self.reference = reference.run
        self.current = current.run
        subject = one.name
        let before = try one.values(of: reference, isCancelled)
        let after = try other.values(of: current, isCancelled)
        countReference = before.count
        countCurrent = after.count
        missing = before.missing + after.missing
        guard before.count > 0, after.count > 0 else {
            (medianReference, medianCurrent, figures) = (nil, nil, [])
            return
        }
        if one.isName {
            (medianReference, medianCurrent) = (nil, nil)
            figures = Self.figures(before.names, after.names)
        } else {
            medianReference = quantile(before.numbers.sorted(), 0.5)
            medianCurrent = quantile(after.numbers.sorted(), 0.5)
            figures = Self.figures(before.numbers, after.numbers)
        }
    }

    /// Returns the measures, the deciding test first.
    private static func figures(_ reference: [Double], _ current: [Double]) -> [Figure] {
        let test = Drift.defaultTest(reference: reference)
        var figures: [Figure] = []
        func add(_ name: String, _ value: Double?, p: Double? = nil, limit: Double, decides: Bool = false) {
            guard let value, value.isFinite else { return }
            figures.append(Figure(name: name, value: value, p: p, limit: limit, decides: decides))
        }
        if test == .chiSquared || test == .proportions {
            let found = Drift.chiSquared(reference: reference, current: current)
            // All values are equal: no drift.
            add("chi-squared", found?.statistic ?? 0, p: found?.p ?? 1, limit: 0.05, decides: true)
        }
        let gap = Drift.kolmogorovSmirnov(reference: reference, current: current)
        add("Kolmogorov-Smirnov", gap?.statistic, p: gap?.p, limit: 0.05, decides: test == .kolmogorovSmirnov)
        add(
            "Wasserstein, in standard deviations", Drift.wassersteinNormed(reference: reference, current: current),
            limit: 0.1,
            decides: test == .wasserstein)
        add(
            "Jensen-Shannon", Drift.jensenShannon(reference: reference, current: current), limit: 0.1,
            decides: test == .jensenShannon)
        add("PSI", Drift.psi(reference: reference, current: current), limit: 0.1)
        return figures.filter(\.decides) + figures.filter { !$0.decides }
    }

    private static func figures(_ reference: [String], _ current: [String]) -> [Figure] {
        let isLarge = reference.count > 1000
        let test = Drift.chiSquared(reference: reference, current: current)
        let chi = Figure(
            name: "chi-squared", value: test?.statistic ?? 0, p: test?.p ?? 1, limit: 0.05, decides: !isLarge)
        let shannon = Figure(
            name: "Jensen-Shannon", value: Drift.jensenShannon(reference: reference, current: current) ?? 0,
            limit: 0.1, decides: isLarge)
        let psi = Figure(
            name: "PSI", value: Drift.psi(reference: reference, current: current) ?? 0, limit: 0.1, decides: false)
        return (isLarge ? [shannon, chi] : [chi, shannon]) + [psi]
    }
}

extension EvalDrift {
    /// The source of the values.
    fileprivate struct Subject {
        enum Source {
            case tokens, seconds, cost, length
            case score(Int)
            case slice(Int)
        }

        var name: String
        var source: Source
        var isName: Bool { if case .slice = source { true } else { false } }

        init(_ word: String, _ run: EvalRun) throws(Problem) {
            name = word
            if let place = run.scores.firstIndex(where: { $0.name == word || $0.title == word }) {
                source = .score(place)
            } else if let place = run.slices.firstIndex(of: word) {
                source = .slice(place)
            } else {
                switch word {
                case "tokens": source = .tokens
                case "seconds": source = .seconds
                case "cost": source = .cost
                case "answer length", "answer-length":
                    name = "answer length"
                    source = .length
                default:
                    let names = EvalDrift.subjects + run.scores.map(\.title) + run.slices
                    throw Problem(
                        .missing, "", "\(run.name) has no \(word)",
                        remedy: NearestName.suggestion(for: word, among: names)
                            ?? "It has \(names.prefix(12).joined(separator: ", ")).")
                }
            }
        }

        struct Values {
            var numbers: [Double] = []
            var names: [String] = []
            var missing = 0
            var count: Int { numbers.count + names.count }
        }

        func values(of log: any EvalLog, _ isCancelled: @Sendable () -> Bool) throws -> Values {
            var values = Values()
            func add(_ number: Double?) {
                if let number, number.isFinite { values.numbers.append(number) } else { values.missing += 1 }
            }
            for row in try log.allRows(isCancelled) {
                switch source {
                case .tokens: add(row.tokens.map(Double.init))
                case .seconds: add(row.seconds)
                case .cost: add(row.cost)
                case .score(let place): add(place < row.scores.count ? row.scores[place] : nil)
                case .slice(let place):
                    let name = place < row.slices.count ? row.slices[place] : ""
                    if name.isEmpty { values.missing += 1 } else { values.names.append(name) }
                case .length:
                    if isCancelled() {
                        throw EvalLogError(
                            path: log.run.path ?? log.run.name, problem: "reading answers was canceled",
                            isCancellation: true)
                    }
                    // Rows hold only the beginning of an answer.
                    let answer = row.outcome == .error ? nil : try log.sample(row.index).answer
                    add(answer.map { Double($0.count) })
                }
            }
            return values
        }
    }
}
