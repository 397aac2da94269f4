internal import Console
internal import EvalLogs
internal import Evals

/// A run whose samples are being read: its listed samples, the rows in memory, and the failures.
struct OpenEval: Sendable {
    let id: Int64
    let log: any EvalLog
    var run: EvalRun
    private(set) var index: SampleIndex
    /// Width of the widest sample name that was read, up to the width of the column.
    var widestName = 2
    /// Whether the log is read to its end.
    var isRead = false
    /// Whether another program has written more samples since reading began.
    var hasNews = false
    /// Rows in memory, by page.
    private var pages: [Int: [EvalRow]] = [:]
    private var recent: [Int] = []
    private(set) var filter = SampleFilter()
    /// Listed samples; `nil` lists all.
    private(set) var shown: [Int32]?
    /// Number of rows whose texts have been searched; `nil` without a search.
    private(set) var searched: Int?
    /// Rows of the list with failures, in order.
    private(set) var landmarks: [Int32] = []
    private(set) var contrast: EvalContrast?
    /// Number of the baseline run.
    private(set) var base: Int64?
    /// Prompt version of the run; `nil` if it was not saved.
    var prompt: PromptVersion?
    var confidences: [ConfidencePoint]?
    /// Whether the first samples have a confidence; `nil` until they have been read.
    var tellsSureness: Bool?
    /// Classes that the first scorer found in the answers; `nil` until they have been read, empty if it finds none.
    var labels: [LabelPoint]? {
        didSet {
            guard let labels, !labels.isEmpty else { return classes = nil }
            var tally = ConfusionTally()
            for point in labels { tally.add(answer: point.label, target: point.target) }
            classes = tally
        }
    }
    private var classes: ConfusionTally?
    /// Answers by target: by the scorer's classes, otherwise by text.
    var confusion: ConfusionTally { classes ?? index.confusion }
    var isOfClasses: Bool { classes != nil }
    /// Failed samples in groups; `nil` until they are grouped. A second reading begins with the groups of the first.
    var failures: FailureClusters? {
        didSet {
            areFailuresOld = false
            if !filter.causes.isEmpty { relist() }
        }
    }
    private var areFailuresOld = false
    /// Groups of this reading; `nil` until they are grouped.
    var newFailures: FailureClusters? {
        get { areFailuresOld ? nil : failures }
        set { failures = newValue }
    }
    /// The first score by each property; empty until the log is read.
    var slices: [EvalSlices] = []
    /// Number of samples in the slices; epochs of a sample count once.
    var sampleCount = 0
    /// Samples with matching texts that are not in the index yet.
    private var early: [Int32] = []
    private var resolved: SampleFilter.Resolved?
    /// Number of samples of the index that the list covers.
    private var listed = 0

    static let pageRows = 256
    private static let mostPages = 24
    private static let mostName = 18

    /// Reads the header of a log.
    init(_ id: Int64, _ log: any EvalLog) {
        self.id = id
        self.log = log
        run = log.run
        index = SampleIndex(scores: run.scores.count, slices: run.slices.count)
    }

    /// Number of listed samples.
    var count: Int { shown?.count ?? max(index.count, 0) }

    /// Returns the sample at a row of the list.
    func sample(at place: Int) -> Int? {
        if let shown { return shown.indices.contains(place) ? Int(shown[place]) : nil }
        return place >= 0 && place < index.count ? place : nil
    }

    /// Returns the row of a sample in the list; `nil` if it is filtered out. O(log n).
    func place(of sample: Int) -> Int? {
        guard let shown else { return sample < index.count ? sample : nil }
        let place = Self.lowerBound(shown, Int32(clamping: sample))
        return place < shown.count && shown[place] == Int32(clamping: sample) ? place : nil
    }

    func row(_ sample: Int) -> EvalRow? {
        pages[sample / Self.pageRows]?.first { $0.index == sample }
    }

    // MARK: Reading

    /// Takes the state of an earlier reading that does not depend on its rows.
    mutating func take(over old: OpenEval) {
        (run, hasNews, widestName) = (old.run, old.hasNews, max(widestName, old.widestName))
        (slices, sampleCount, tellsSureness) = (old.slices, old.sampleCount, old.tellsSureness)
        (contrast, base) = (old.contrast, old.base)
        failures = old.failures
        areFailuresOld = true
    }

    mutating func append(_ rows: [EvalRow]) {
        for row in rows where widestName < Self.mostName && row.id.utf8.count + 3 > widestName {
            let columns = DisplayWidth.of(row.id) + (row.epoch > 1 ? 3 : 0)
            widestName = max(widestName, min(Self.mostName, columns))
        }
        let before = index.count
        index.append(rows)
        // Keep the first screens in memory before they are requested.
        if before < 2 * Self.pageRows { for row in rows where row.index < 2 * Self.pageRows { keep(row) } }
        list()
    }

    private mutating func keep(_ row: EvalRow) {
        let page = row.index / Self.pageRows
        if pages[page] == nil { touch(page) }
        if (pages[page]?.last?.index ?? -1) < row.index { pages[page, default: []].append(row) }
    }

    mutating func adopt(_ rows: [EvalRow], page: Int) {
        touch(page)
        pages[page] = rows
    }

    private mutating func touch(_ page: Int) {
        recent.removeAll { $0 == page }
        recent.append(page)
        if recent.count > Self.mostPages { pages[recent.removeFirst()] = nil }
    }

    /// Returns the first page of rows that visible rows need and memory does not have.
    func missingPage(in places: Range<Int>) -> Int? {
        for place in places {
            guard let sample = sample(at: place), row(sample) == nil else { continue }
            return sample / Self.pageRows
        }
        return nil
    }

    // MARK: Listing

    /// - Returns: Whether the texts of samples must be searched.
    mutating func set(_ filter: SampleFilter) -> Bool {
        self.filter = filter
        relist()
        return filter.needsTexts
    }

    mutating func compare(_ contrast: EvalContrast?, base: Int64?) {
        (self.contrast, self.base) = (contrast, base)
        relist()
    }

    private mutating func relist() {
        resolved =
            filter.isEmpty || filter.problem != nil
            ? nil : filter.resolved(in: index, slices: run.slices, failures: failures)
        shown = filter.isEmpty ? nil : []
        searched = filter.needsTexts ? 0 : nil
        early = []
        landmarks = []
        listed = 0
        list()
    }

    /// Lists the new samples of the index. O(new samples).
    private mutating func list() {
        guard listed < index.count else { return }
        // A new value of a slice may match the filter.
        if resolved?.slices.isEmpty == false {
            resolved = filter.resolved(in: index, slices: run.slices, failures: failures)
        }
        if filter.isEmpty {
            for sample in listed..<index.count {
                guard index.has(sample) else {
                    // After the first gap, rows of the list differ from indexes of the log.
                    if shown == nil { shown = (0..<sample).map { Int32($0) } }
                    continue
                }
                if shown != nil { show(sample) } else if isLandmark(sample) { landmarks.append(Int32(sample)) }
            }
        } else if !filter.needsTexts, let resolved {
            for sample in listed..<index.count where index.has(sample) {
                if resolved.matches(sample, in: index, contrast) { show(sample) }
            }
        }
        listed = index.count
        listFound()
    }

    private mutating func show(_ sample: Int) {
        if isLandmark(sample) { landmarks.append(Int32(shown?.count ?? 0)) }
        shown?.append(Int32(sample))
    }

    /// Lists the samples whose texts match, if the rest of the filter accepts them.
    mutating func found(_ samples: [Int32], upTo end: Int) {
        early += samples
        searched = end
        listFound()
    }

    private mutating func listFound() {
        guard let resolved else { return }
        let ready = early.prefix { Int($0) < index.count }
        for sample in ready where index.has(Int(sample)) {
            if resolved.matches(Int(sample), in: index, contrast) { show(Int(sample)) }
        }
        early.removeFirst(ready.count)
    }

    mutating func endSearch() { searched = nil }

    private func isLandmark(_ sample: Int) -> Bool {
        if let contrast { return contrast.isRegression(sample) }
        let outcome = index.outcome(sample)
        return outcome == .failed || outcome == .error
    }

    /// Returns the next or previous row with a failure, wrapping around. O(log n).
    func landmark(from place: Int, forward: Bool) -> Int? {
        guard !landmarks.isEmpty else { return nil }
        if forward {
            let next = Self.lowerBound(landmarks, Int32(clamping: place + 1))
            return Int(next < landmarks.count ? landmarks[next] : landmarks[0])
        }
        let next = Self.lowerBound(landmarks, Int32(clamping: place)) - 1
        return Int(next >= 0 ? landmarks[next] : landmarks[landmarks.count - 1])
    }

    private static func lowerBound(_ values: [Int32], _ value: Int32) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
