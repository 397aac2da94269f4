internal import Configuration
internal import Statistics
public import Traces

/// How far something of a run's samples has moved from that of another run: tokens, seconds, the length of answers, a
/// score, or a property (what share of the samples has which value).
///
/// Samples need not be the same; every asking counts. Source of the choice of test and of its limits: Evidently 0.7.
public struct EvalDrift: Sendable {
    /// One way to look at it.
    public struct Figure: Hashable, Sendable {
        /// What is computed: the name of the test or of the distance.
        public var name: String
        /// The test's statistic, or the distance.
        public var value: Double
        /// Both sides; nil for a distance.
        public var p: Double?
        /// A drift is called where p is below it, or the value at it or above.
        public var limit: Double
        /// Whether this figure is the one that decides.
        public var decides: Bool
        /// Whether it calls a drift.
        public var isDrift: Bool { p.map { $0 < limit } ?? (value >= limit) }
    }

    /// The run that is compared with, and the one that is looked at.
    public let reference: EvalRun
    public let current: EvalRun
    /// What was looked at: `tokens`, `answer length`, a score, a property.
    public let subject: String
    /// Askings that tell it.
    public let countReference: Int
    public let countCurrent: Int
    /// Askings that do not tell it, in both runs together.
    public let missing: Int
    /// nil for names.
    public let medianReference: Double?
    public let medianCurrent: Double?
    /// Empty where a run tells nothing.
    public let figures: [Figure]

    /// What the deciding figure says; false where a run tells nothing.
    public var isDrift: Bool { figures.first(where: \.decides)?.isDrift ?? false }

    /// What can be looked at beside scores and properties.
    public static let subjects = ["tokens", "seconds", "cost", "answer length"]

    /// - Throws: `EvalDiffError` where the runs do not have it, `EvalLogError` where answers cannot be read.
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

    /// The deciding test first.
    private static func figures(_ reference: [Double], _ current: [Double]) -> [Figure] {
        let test = Drift.defaultTest(reference: reference)
        var figures: [Figure] = []
        func add(_ name: String, _ value: Double?, p: Double? = nil, limit: Double, decides: Bool = false) {
            guard let value, value.isFinite else { return }
            figures.append(Figure(name: name, value: value, p: p, limit: limit, decides: decides))
        }
        if test == .chiSquared || test == .proportions {
            let found = Drift.chiSquared(reference: reference, current: current)
            // All of one and the same value: nothing has moved.
            add("chi-squared", found?.statistic ?? 0, p: found?.p ?? 1, limit: 0.05, decides: true)
        }
        let gap = Drift.kolmogorovSmirnov(reference: reference, current: current)
        add("Kolmogorov-Smirnov", gap?.statistic, p: gap?.p, limit: 0.05, decides: test == .kolmogorovSmirnov)
        add(
            "Wasserstein, in deviations", Drift.wassersteinNormed(reference: reference, current: current), limit: 0.1,
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
    /// Where the values are.
    fileprivate struct Subject {
        enum Source {
            case tokens, seconds, cost, length
            case score(Int)
            case slice(Int)
        }

        var name: String
        var source: Source
        var isName: Bool { if case .slice = source { true } else { false } }

        init(_ word: String, _ run: EvalRun) throws(EvalDiffError) {
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
                    throw EvalDiffError(
                        problem: "\(run.name) has no \(word)",
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
                            path: log.run.path ?? log.run.name, problem: "reading answers was cancelled",
                            isCancellation: true)
                    }
                    // Rows hold the beginning of an answer.
                    let answer = row.outcome == .error ? nil : try log.sample(row.index).answer
                    add(answer.map { Double($0.count) })
                }
            }
            return values
        }
    }
}
