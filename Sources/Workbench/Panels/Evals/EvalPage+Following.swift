internal import Console
internal import EvalLogs
internal import Evals
internal import Workspace

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
        reads.addFigure("confidences", \.confidences, if: { $0.chart.kind.needsConfidences }) {
            try $0.confidences($1, until: $2)
        }
        reads.addFigure("labels", \.labels, if: { $0.chart.kind == .confusion }) { try $0.labels($1, until: $2) }
        reads.addFigure("failures", \.newFailures, if: \.wantsFailures) { _, log, cancellation in
            try cancellation.during { try FailureClusters(log, isCancelled: $0) }
        }
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

    // MARK: Failures

    /// Groups of failed samples; `nil` until they are known, or while a different run is being opened.
    var failures: FailureClusters? { wanted.map { $0.run == open?.id } ?? true ? open?.failures : nil }

    var cluster: FailureClusters.Cluster? {
        guard let found = failures?.clusters, found.indices.contains(clusters.selection) else { return nil }
        return found[clusters.selection]
    }

    /// Maximum number of failures to group without a request: grouping takes a moment.
    private static let mostGrouped = 300

    var wantsFailures: Bool {
        guard let open, open.index.missed > 0 else { return false }
        return view == .failures || !open.filter.causes.isEmpty || open.index.missed <= Self.mostGrouped
    }

    private var placeOfExample: Place? {
        guard view == .failures, let open, let sample = cluster?.samples.first else { return nil }
        return Place(run: open.id, sample: sample)
    }

    private mutating func readExample(_ index: Int?) -> Work<Self> {
        guard let index, let (log, scores) = open.map({ ($0.log, $0.run.scores) }) else {
            example.show([])
            return .cancel("typical")
        }
        return read("typical") { _ in
            try log.sample(index)
        } show: { page, sample in
            page.example.show(SampleReading(sample: sample, scores: scores).sections)
        }
    }
}

extension Reads<EvalPage> {
    /// Adds a figure of the open run that is computed in the background once all samples are read.
    fileprivate mutating func addFigure<Value: Sendable>(
        _ key: String, _ figure: WritableKeyPath<OpenEval, Value?>,
        if isWanted: @escaping (EvalPage) -> Bool,
        read: @escaping @Sendable (any EvalDesk, any EvalLog, Cancellation) throws -> Value
    ) {
        func missing(_ page: EvalPage) -> Int64? {
            guard let open = page.open, open.isRead, open[keyPath: figure] == nil, isWanted(page) else { return nil }
            return open.id
        }
        perform(key, for: missing) { page, run in
            guard let run, let log = page.open?.log else { return .cancel(key) }
            return page.background(key) {
                try read($0, log, $1)
            } then: { page, value in
                if page.open?.id == run { page.open?[keyPath: figure] = value }
                return []
            }
        }
    }
}
