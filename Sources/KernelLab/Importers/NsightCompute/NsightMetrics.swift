/// The figures of one launch by their names, in base units.
///
/// Names are numbered once a file; a launch fills an array, so that a table of 600 columns costs no dictionary a row.
struct NsightMetrics {
    private var slots: [String: Int] = [:]
    private(set) var names: [String] = []
    /// NaN where the launch has no figure.
    private(set) var values: [Double] = []
    /// Whether there are metrics of a family at all: most exports lack some, and need not be searched for them.
    private(set) var hasInstructions = false
    private(set) var hasPeaks = false
    /// Metrics of the matrix units.
    private(set) var tensorNames: [String] = []

    /// The slot of a name.
    mutating func slot(_ name: String) -> Int {
        if let slot = slots[name] { return slot }
        slots[name] = names.count
        names.append(name)
        values.append(.nan)
        if name.contains("sass_thread_inst_executed_op_") { hasInstructions = true }
        if name.contains("peak_sustained") || name.hasPrefix("derived__sm") { hasPeaks = true }
        if name.contains("tensor") { tensorNames.append(name) }
        return names.count - 1
    }

    /// Forgets the figures and keeps the names.
    mutating func clear() {
        for slot in values.indices { values[slot] = .nan }
    }

    mutating func set(_ slot: Int, _ value: Double) { values[slot] = value }

    /// A figure; nil if the launch has none.
    subscript(name: String) -> Double? {
        guard let slot = slots[name], !values[slot].isNaN else { return nil }
        return values[slot]
    }

    /// The first of several names that has a figure.
    func first(_ names: String...) -> Double? {
        for name in names {
            if let value = self[name] { return value }
        }
        return nil
    }

    /// Seconds.
    var duration: Double? {
        first("gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max").flatMap {
            $0 > 0 ? $0 : nil
        }
    }

    /// Cycles a second of a unit such as `smsp`; units of the same clock domain stand in for each other.
    func clock(_ unit: String) -> Double? {
        if let clock = self["\(unit)__cycles_elapsed.avg.per_second"] { return clock }
        switch unit {
        case "smsp", "sm", "l1tex", "gpc":
            return first(
                "smsp__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second",
                "gpc__cycles_elapsed.avg.per_second", "l1tex__cycles_elapsed.avg.per_second")
        default: return nil
        }
    }

    /// Elapsed cycles of a unit during the launch.
    func cycles(_ unit: String) -> Double? {
        if let clock = clock(unit), let duration { return clock * duration }
        return first(
            "\(unit)__cycles_elapsed.max", "\(unit)__cycles_elapsed.avg", "sm__cycles_elapsed.max",
            "smsp__cycles_elapsed.max")
    }

    /// The total of a metric over the launch, however it was collected: as a sum, a second, or a cycle.
    ///
    /// The charts of the tool collect `.sum.per_cycle_elapsed`, which times the cycles a second is a rate, and times
    /// the duration a total.
    func total(_ base: String) -> Double? {
        if let sum = self[base + ".sum"] { return sum }
        if let rate = self[base + ".sum.per_second"], let duration { return rate * duration }
        if let rate = self[base + ".sum.per_cycle_elapsed"] {
            let unit = base.prefix { $0 != "_" }
            return cycles(String(unit)).map { rate * $0 }
        }
        return nil
    }

    /// The total of a metric that exists for the whole multiprocessor (`sm__`) and its quarters (`smsp__`).
    func instructions(_ name: String) -> Double? {
        total("smsp__" + name) ?? total("sm__" + name)
    }
}
