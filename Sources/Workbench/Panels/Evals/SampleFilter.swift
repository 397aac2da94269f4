internal import Console
internal import Evals
internal import Traces

/// Which samples are listed: `failed slice=easy parser`.
struct SampleFilter: Hashable, Sendable {
    /// What the person typed.
    private(set) var typed = ""
    private(set) var outcomes: Set<EvalRow.Outcome> = []
    private(set) var changes: Set<EvalContrast.Change> = []
    private(set) var slices: [Slice] = []
    /// Groups of what went wrong, by their places from 1: samples of any of them are listed.
    private(set) var causes: [Int] = []
    /// All of them are in the sample's id, question, answer, target or problem; in lower case.
    private(set) var words: [String] = []

    struct Slice: Hashable, Sendable {
        var name: String
        var value: String
    }

    init() {}

    /// - Parameter names: the slices that the run has.
    init(_ typed: String, slices names: [String]) {
        self.typed = typed.trimmed
        for word in self.typed.split(separator: " ").map(String.init) {
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if halves.count == 2, names.contains(halves[0]) {
                slices.append(Slice(name: halves[0], value: halves[1].replacing("_", with: " ")))
                continue
            }
            if halves.count == 2, halves[0] == Self.causeWord, let place = Int(halves[1]), place > 0 {
                causes.append(place)
                continue
            }
            switch word.lowercased() {
            case "failed": outcomes.insert(.failed)
            case "passed": outcomes.insert(.passed)
            case "error", "errors": outcomes.insert(.error)
            case "scored": outcomes.insert(.scored)
            case "unscored": outcomes.insert(.unscored)
            case "changed": changes.formUnion([.fixed, .broken, .worse, .better, .lost])
            case "worse": changes.insert(.worse)
            case "better": changes.insert(.better)
            case "lost": changes.insert(.lost)
            case "fixed": changes.insert(.fixed)
            case "broken": changes.insert(.broken)
            default: words.append(word.lowercased())
            }
        }
    }

    /// What stands before the place of a group: `wrong=2`.
    static let causeWord = "wrong"

    var isEmpty: Bool { typed.isEmpty }

    /// Whether texts have to be looked at, which takes reading them.
    var needsTexts: Bool { !words.isEmpty }

    /// What completes a line.
    static func candidates(_ typed: String, slices: [String], values: [[String]]) -> [String] {
        let head = typed.lastIndex(of: " ").map { String(typed[...$0]) } ?? ""
        let last = typed.dropFirst(head.count)
        let words =
            "failed passed error scored unscored changed fixed broken worse better lost".split(separator: " ")
            .map(String.init)
            + zip(slices, values).flatMap { name, values in
                values.prefix(200).map { "\(name)=\($0.replacing(" ", with: "_"))" }
            }
        return words.filter { $0.hasPrefix(last) }.map { head + $0 }
    }

    /// Slices as places in an index; nil where no sample can match.
    struct Resolved: Sendable {
        var outcomes: Set<UInt8>
        var changes: Set<EvalContrast.Change>
        var slices: [(slice: Int, codes: Set<UInt16>)]
        /// Samples of the groups that were asked for; nil where none was.
        var group: Set<Int>?

        func matches(_ sample: Int, in index: SampleIndex, _ contrast: EvalContrast?) -> Bool {
            if !outcomes.isEmpty, !outcomes.contains(index.outcomes[sample]) { return false }
            if !changes.isEmpty, contrast?.isAmong(changes, sample) != true { return false }
            if let group, !group.contains(sample) { return false }
            return slices.allSatisfy { $0.codes.contains(index.codes[$0.slice][sample]) }
        }
    }

    private func group(_ failures: FailureClusters?) -> Set<Int>? {
        guard !causes.isEmpty else { return nil }
        let clusters = failures?.clusters ?? []
        return Set(causes.filter { clusters.indices.contains($0 - 1) }.flatMap { clusters[$0 - 1].samples })
    }

    func resolved(in index: SampleIndex, slices names: [String], failures: FailureClusters?) -> Resolved {
        let slices = slices.compactMap { slice -> (slice: Int, codes: Set<UInt16>)? in
            guard let place = names.firstIndex(of: slice.name), index.words.indices.contains(place) else { return nil }
            // What was typed with blanks written as `_` is what has either.
            let codes = index.words[place].indices.filter {
                index.words[place][$0].replacing("_", with: " ") == slice.value
            }
            return (place, Set(codes.map { UInt16($0) }))
        }
        return Resolved(
            outcomes: Set(outcomes.map { UInt8(SampleIndex.code(of: $0)) }), changes: changes, slices: slices,
            group: group(failures))
    }

    /// Whether all words are in a sample's texts. O(bytes of the row).
    func matchesTexts(_ row: EvalRow) -> Bool {
        let texts = [row.id, row.input, row.answer, row.target, row.problem ?? ""].map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }
}
