internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Statistics

/// Charts of a run and of other runs of its task.
struct EvalChart: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case bars, slices, histogram, confusion, roc, precisionRecall, reliability, cost

        var title: String {
            switch self {
            case .bars: "Runs of the task"
            case .slices: "Slices"
            case .histogram: "Scores"
            case .confusion: "Confusion"
            case .roc: "ROC"
            case .precisionRecall: "Precision and recall"
            case .reliability: "Reliability"
            case .cost: "Quality and cost"
            }
        }

        /// Unit of the horizontal axis; `nil` for scores, probabilities, and counts.
        var unit: String? { self == .cost ? "dollars per 1,000 samples" : nil }

        /// Whether it has a row for each of something, which stays readable without a picture.
        var hasRows: Bool { self == .bars || self == .slices }

        /// Whether it needs to know how sure the answers were.
        var needsConfidences: Bool { self == .roc || self == .precisionRecall || self == .reliability }
    }

    var kind = Kind.bars

    /// To the next chart that has something to show of the run, as far as that is known; to the next one where none has.
    mutating func next(_ step: Int, _ material: Material) {
        let all = Kind.allCases
        let place = all.firstIndex(of: kind) ?? 0
        let around = (1...all.count).map { all[((place + step * $0) % all.count + all.count) % all.count] }
        kind = around.first { !EvalChart(kind: $0).isEmpty(material) } ?? around[0]
    }

    /// Whether the run will never have anything to show here.
    func isEmpty(_ material: Material) -> Bool {
        guard let selected = material.selected, !selected.isAlive else { return false }
        switch kind {
        case .bars, .cost: return reason(material) != nil
        case .slices, .histogram, .confusion, .roc, .precisionRecall, .reliability:
            guard let open = material.open, open.id == selected.id, open.isRead else { return false }
            if kind.needsConfidences, open.confidences == nil { return open.tellsSureness == false }
            if kind == .confusion, open.labels == nil { return open.confusion.isTooMany || open.index.known == 0 }
            return reason(material) != nil
        }
    }

    /// How many charts have something to show of the run.
    static func full(_ material: Material) -> Int { Kind.allCases.count { !EvalChart(kind: $0).isEmpty(material) } }

    /// What a chart is made of.
    struct Material {
        var entries: [EvalRunEntry]
        var selected: EvalRunEntry?
        var open: OpenEval?

        /// Runs of the selected one's task that have the selected one's first metric; what is marked goes before.
        var peers: [EvalRunEntry] {
            guard let selected, let metric = selected.metric else { return [] }
            return entries.filter { $0.run.task == selected.run.task && $0.metric?.isSameFigure(as: metric) == true }
        }
    }

    func draw(_ material: Material, into surface: inout Surface, in area: Rect, theme: Theme) {
        if let reason = reason(material) {
            surface.put(reason, at: area.origin, style: theme[.dim], width: area.columns)
            return
        }
        if !kind.hasRows, area.columns < 12 || area.rows < 5 {
            surface.put("needs a larger window", at: area.origin, style: theme[.dim], width: area.columns)
            return
        }
        switch kind {
        case .bars: bars(material).draw(into: &surface, in: area, theme: theme)
        case .slices: slices(material)?.draw(into: &surface, in: area, theme: theme)
        case .histogram: drawHistogram(material, into: &surface, in: area, theme: theme)
        case .confusion: drawConfusion(material, into: &surface, in: area, theme: theme)
        case .roc, .precisionRecall, .reliability:
            curves(material)?.draw(into: &surface, in: area, theme: theme)
        case .cost: cost(material).draw(into: &surface, in: area, theme: theme)
        }
    }

    /// Why there is nothing to draw.
    func reason(_ material: Material) -> String? {
        guard let selected = material.selected else { return "select a run" }
        switch kind {
        case .bars: return selected.metric == nil ? "the run has no metrics yet" : nil
        case .cost:
            let costs = material.peers.compactMap(\.costPerSample)
            if costs.isEmpty { return "no run of the task reports its cost" }
            return costs.contains { $0 > 0 } ? nil : "the runs of the task cost nothing"
        default: break
        }
        guard let open = material.open, open.id == selected.id else { return "Enter loads the samples" }
        switch kind {
        case .slices:
            if open.run.slices.isEmpty { return "the samples have no properties to group by" }
            if open.slices.isEmpty { return SliceReading.waiting(open) }
        case .histogram:
            if open.index.total.count == 0 { return "no sample has a score" + (open.isRead ? "" : " yet: reading") }
        case .confusion:
            if open.confusion.isTooMany {
                return "more than \(ConfusionTally.mostLabels) different answers: too many classes"
            }
            if open.index.known == 0 { return "no samples yet" }
            if open.isRead, open.labels == nil { return "reading answer classes" }
        case .roc, .precisionRecall, .reliability:
            if open.tellsSureness == false { return "the run records no confidence" }
            guard let points = open.confidences else { return "reading answer confidences" }
            if points.isEmpty { return "the run records no confidence" }
            if kind != .reliability, !(points.contains(where: \.passes) && points.contains { !$0.passes }) {
                return "all samples passed or all failed: no curve to draw"
            }
        case .bars, .cost: break
        }
        return nil
    }

    // MARK: Bars

    func bars(_ material: Material) -> IntervalChart {
        IntervalChart(
            material.peers.map { entry in
                let metric = entry.metric
                return IntervalChart.Row(
                    Self.label(entry, among: material.peers),
                    IntervalBar(metric?.value ?? .nan, lower: metric?.lower, upper: metric?.upper),
                    text: (metric.map { Format.metric($0.value) } ?? "") + (entry.part.map { "  \($0)" } ?? ""),
                    role: Self.role(entry, material))
            })
    }

    /// A run that tells only of some samples of its task steps back.
    private static func role(_ entry: EvalRunEntry, _ material: Material) -> Role {
        entry.id == material.selected?.id ? .accent : entry.isWhole ? .series1 : .dim
    }

    /// Returns a run's title, with the model if that distinguishes the run and the title does not contain it.
    private static func label(_ entry: EvalRunEntry, among peers: [EvalRunEntry]) -> String {
        let (name, model) = (entry.title, entry.run.model)
        let isOther = peers.contains { $0.run.model != model }
        return isOther && !name.contains(model) ? "\(name)  \(model)" : name
    }

    func slices(_ material: Material) -> IntervalChart? {
        guard let open = material.open else { return nil }
        return IntervalChart(
            open.slices.flatMap { by in by.slices.map { (name: by.name, slice: $0) } }.map { row in
                IntervalChart.Row(
                    "\(row.name) \(SliceReading.word(row.slice))",
                    IntervalBar(
                        row.slice.mean ?? .nan, lower: row.slice.interval?.lower, upper: row.slice.interval?.upper),
                    text: "\(row.slice.mean.map(Format.metric) ?? "–")  n \(Format.compact(row.slice.count))"
                        + (row.slice.unscored > 0 ? ", \(Format.compact(row.slice.unscored)) unscored" : ""))
            })
    }

    func cost(_ material: Material) -> ScatterChart {
        let peers = material.peers
        // A model that answered in several runs names none of them.
        let isNamedByModel = Set(peers.map(\.run.model)).count == peers.count
        return ScatterChart(
            peers.compactMap { entry in
                guard let cost = entry.costPerSample, let metric = entry.metric else { return nil }
                let name = isNamedByModel ? entry.run.model : Self.label(entry, among: peers)
                return ScatterChart.Mark(
                    name + (entry.part.map { ", \($0)" } ?? ""), x: cost * 1_000, y: metric.value,
                    role: Self.role(entry, material))
            })
    }

    // MARK: Distributions

    func histogram(_ material: Material, columns: Int) -> Histogram? {
        guard let scores = material.open?.index.scores.first else { return nil }
        return Histogram(scores.lazy.map { Double($0) }, bins: min(24, max(4, columns / 5)), whole: 0...1)
    }

    private func drawHistogram(_ material: Material, into surface: inout Surface, in area: Rect, theme: Theme) {
        guard let histogram = histogram(material, columns: area.columns) else { return }
        histogram.draw(into: &surface, in: area, theme: theme)
    }

    /// The labels of the table, the most common targets first.
    static func labels(_ tally: ConfusionTally) -> [Int] {
        var sums = [Int](repeating: 0, count: tally.labels.count)
        for (pair, count) in tally.counts { sums[pair.target] += count }
        return tally.labels.indices.sorted { (-sums[$0], $0) < (-sums[$1], $1) }
    }

    private func drawConfusion(_ material: Material, into surface: inout Surface, in area: Rect, theme: Theme) {
        guard let tally = material.open?.confusion else { return }
        let labels = Self.labels(tally)
        let values = labels.flatMap { target in
            labels.map { answer in Float(tally.counts[.init(target: target, answer: answer)] ?? 0) }
        }
        ConfusionTable(labels: labels.map { Self.label(tally.labels[$0]) }, counts: values.map { Int($0) })
            .draw(into: &surface, in: area, theme: theme)
    }

    private static func label(_ text: String) -> String { text.isEmpty ? "(nothing)" : text.truncated(toColumns: 16) }

    // MARK: Curves

    static func ranked(_ points: [ConfidencePoint]) -> RankedScores {
        RankedScores(truth: points.map(\.passes), scores: points.map(\.confidence))
    }

    static func reliability(_ points: [ConfidencePoint]) -> Reliability {
        Reliability(confidences: points.map(\.confidence), hits: points.map(\.passes), bins: 15, division: .width)
    }

    private func curves(_ material: Material) -> LineChart? {
        guard let points = material.open?.confidences else { return nil }
        let diagonal = LineChart.Series("chance", [(x: 0, y: 0), (x: 1, y: 1)], role: .faint)
        switch kind {
        case .roc:
            let curve = Self.ranked(points).rocCurve.map { (x: $0.x, y: $0.y) }
            return LineChart([diagonal, .init("passed, by confidence", curve, role: .series1)])
        case .precisionRecall:
            let curve = Self.ranked(points).precisionRecallCurve.map { (x: $0.x, y: $0.y) }
            let share = Double(points.count(where: \.passes)) / Double(max(1, points.count))
            return LineChart([
                .init(
                    "chance", [(x: 0, y: 0), (x: 0, y: 1), (x: .nan, y: 0), (x: 0, y: share), (x: 1, y: share)],
                    role: .faint),
                .init("passed, by confidence", curve, role: .series1),
            ])
        default:
            let bins = Self.reliability(points).bins.filter { $0.count > 0 }
            let curve = bins.map { (x: $0.confidence, y: $0.accuracy) }
            return LineChart([
                .init("calibrated", diagonal.points, role: .faint), .init("this run", curve, role: .series1),
            ])
        }
    }
}

extension EvalRunEntry {
    /// US dollars.
    var costPerSample: Double? {
        guard let cost = run.cost, completed > 0 else { return nil }
        return cost / Double(completed)
    }
}
