internal import Console
internal import EvalLogs
internal import Evals

/// Work that follows the cursor and the open run.
extension EvalPage {
    package static func reads(_ reads: inout Reads<Self>) {
        reads.perform("start", for: { _ in true }) { page, _ in Work(page.paths.map { page.openLog($0) }) }
        reads.perform("runs", for: { _ in true }, followsWorkspace: true) { page, _ in page.readRuns() }
        reads.perform("cursor", for: { $0.view == .runs ? $0.runs.selected?.id : nil }, followsWorkspace: true) {
            page, run in
            guard let run, run != page.open?.id, run != page.wanted?.run else { return [] }
            return page.show(run)
        }
        reads.perform("follow", for: { $0.open.flatMap { $0.id < 0 ? $0.id : nil } }) { page, log in
            log == nil ? .cancel("follow") : page.follow()
        }
        reads.perform("page", for: \.missingPage) { $0.readPage($1?.sample) }
        reads.perform("sample", for: \.placeOfSample) { $0.readSample($1?.sample) }
        reads.perform("confidences", for: { $0.missesConfidences ? $0.open?.id : nil }) { $0.readConfidences(of: $1) }
        reads.perform("labels", for: { $0.missesLabels ? $0.open?.id : nil }) { $0.readLabels(of: $1) }
        reads.perform("failures", for: { $0.missesFailures ? $0.open?.id : nil }) { $0.readFailures(of: $1) }
        reads.perform("typical", for: \.placeOfExample) { $0.readExample($1?.sample) }
        reads.perform("pair", for: { $0.view == .diff || $0.view == .sides ? $0.diff.pairKey : nil }) { page, key in
            key == nil ? .cancel("pair") : page.readPair()
        }
        reads.perform("sides", for: { $0.view == .sides ? $0.diff.pairKey : nil }) { page, key in
            key == nil ? .cancel("sides") : page.readSides()
        }
        reads.perform("ratings", for: \.ratingKey) { $0.readRatings(of: $1) }
        reads.perform("step", for: { $0.sides.stepKey }) { page, _ in
            page.sides.showTexts()
            return []
        }
        reads.follow("text", { TextKey($0) }) { $0.showText() }
    }

    // MARK: The text

    /// Subject of the text.
    struct TextSubject: Hashable, Sendable {
        var view: View
        var run: Int64?
        var about: About?
        /// Sample that the text shows.
        var sample: Int?
        /// Whether the text hides the judgments of other raters.
        var isBlind = false
    }

    /// What the text depends on.
    private struct TextKey: Equatable {
        var subject: TextSubject
        var texts: [String]

        init(_ page: EvalPage) {
            subject = page.textSubject
            texts = page.view == .runs ? page.aboutSections.map(\.text) : []
        }
    }

    private var textSubject: TextSubject {
        switch view {
        case .runs: TextSubject(view: view, run: runs.selected?.id, about: about)
        case .queue:
            TextSubject(
                view: view, run: open?.id, sample: isSampleShown ? queue.sample : nil,
                isBlind: queue.entry?.own?.verdict.passes == nil)
        default: TextSubject(view: view, run: open?.id, sample: sample?.row.index)
        }
    }

    private var aboutSections: [TextSection] {
        guard let entry = runs.selected else {
            return runs.entries.isEmpty ? [] : [TextSection(StyledLine(Self.noSuchRun, .dim))]
        }
        return reading(of: entry).sections(about)
    }

    func reading(of entry: EvalRunEntry) -> EvalRunReading {
        EvalRunReading(entry: entry, open: open?.id == entry.id ? open : nil)
    }

    /// Reading of the loaded sample.
    var sampleReading: SampleReading? { sample.map { SampleReading(sample: $0, scores: open?.run.scores ?? []) } }

    /// Shows the text of the view; a text that only grew keeps its position.
    private mutating func showText() {
        let new = textSubject
        defer { subject = new }
        let sections: [TextSection]
        switch view {
        case .runs: sections = aboutSections
        case .samples, .queue:
            let reading = new.sample == nil ? nil : sampleReading
            sections = (new.isBlind ? reading?.blindSections : reading?.sections) ?? []
        case .diff, .sides, .failures, .matrix: return
        }
        if new == subject { text.refresh(sections) } else { text.show(sections) }
    }

    // MARK: The sample

    /// Run and sample whose text the view shows.
    private var placeOfSample: Place? {
        guard view == .samples || view == .queue, let open, let sample = currentSample else { return nil }
        return Place(run: open.id, sample: sample)
    }

    private mutating func readSample(_ index: Int?) -> Work<Self> {
        guard let index, let (log, run) = open.map({ ($0.log, $0.id) }) else {
            if view == .samples || view == .queue { sample = nil }
            return .cancel("sample")
        }
        guard sample?.row.index != index else { return .cancel("sample") }
        return read("sample") { _ in
            try log.sample(index)
        } show: { page, sample in
            guard page.open?.id == run else { return }
            page.sample = sample
            page.steps.select(sample.failingStep ?? 0)
        }
    }

    /// The run, and the first page of rows that the list needs and memory does not have.
    private var missingPage: Place? {
        guard view == .samples, let open, let page = open.missingPage(in: samples.visible) else { return nil }
        return Place(run: open.id, sample: page)
    }

    private func readPage(_ number: Int?) -> Work<Self> {
        guard let number, let (log, run) = open.map({ ($0.log, $0.id) }) else { return [] }
        let range = number * OpenEval.pageRows..<(number + 1) * OpenEval.pageRows
        return read("page") { _, cancellation in
            try cancellation.during { try log.rows(range, isCancelled: $0) }
        } then: { page, rows in
            if page.open?.id == run { page.open?.adopt(rows, page: number) }
            return []
        }
    }

    // MARK: Charts

    private var missesConfidences: Bool {
        guard chart.kind.needsConfidences, let open else { return false }
        return open.isRead && open.confidences == nil
    }

    private func readConfidences(of run: Int64?) -> Work<Self> {
        guard let run, let log = open?.log else { return .cancel("confidences") }
        return background("confidences") {
            try $0.confidences(log, until: $1)
        } then: { page, points in
            if page.open?.id == run { page.open?.confidences = points }
            return []
        }
    }

    private var missesLabels: Bool {
        guard chart.kind == .confusion, let open else { return false }
        return open.isRead && open.labels == nil
    }

    private func readLabels(of run: Int64?) -> Work<Self> {
        guard let run, let log = open?.log else { return .cancel("labels") }
        return background("labels") {
            try $0.labels(log, until: $1)
        } then: { page, points in
            if page.open?.id == run { page.open?.labels = points }
            return []
        }
    }

    // MARK: Failures

    /// Groups of failed samples; `nil` until they are known, or while a different run is being opened.
    var failures: FailureClusters? { wanted.map { $0.run == open?.id } ?? true ? open?.failures : nil }

    var cluster: FailureClusters.Cluster? {
        guard let found = failures?.clusters, found.indices.contains(clusters.selection) else { return nil }
        return found[clusters.selection]
    }

    /// Maximum number of failures to group without a request: grouping takes a moment.
    private static let mostGrouped = 300

    private var missesFailures: Bool {
        guard let open, open.isRead, open.failures == nil else { return false }
        let isWanted = view == .failures || !open.filter.causes.isEmpty || open.index.missed <= Self.mostGrouped
        return open.index.missed > 0 && isWanted
    }

    private func readFailures(of run: Int64?) -> Work<Self> {
        guard let run, let log = open?.log else { return .cancel("failures") }
        return background("failures") { _, cancellation in
            try cancellation.during { try FailureClusters(log, isCancelled: $0) }
        } then: { page, found in
            if page.open?.id == run { page.open?.failures = found }
            return []
        }
    }

    private var placeOfExample: Place? {
        guard view == .failures, let open, let sample = cluster?.samples.first else { return nil }
        return Place(run: open.id, sample: sample)
    }

    private func readExample(_ index: Int?) -> Work<Self> {
        guard let index, let (log, scores) = open.map({ ($0.log, $0.run.scores) }) else { return .cancel("typical") }
        return read("typical") { _ in
            try log.sample(index)
        } show: { page, sample in
            page.example.show(SampleReading(sample: sample, scores: scores).sections)
        }
    }
}
