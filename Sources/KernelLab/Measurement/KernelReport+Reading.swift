internal import JSON
internal import Kernels
internal import System

extension KernelReport {
    /// Reads what `json` wrote: a report crosses from the process that ran a person's kernel as text.
    ///
    /// - Throws: `JSONError` for what is not JSON, `Problem` for what is not a report.
    public init(json text: String) throws {
        self = try JSONParser().parse(text) { node in
            guard let report = KernelReport(node) else {
                throw Problem(.invalid, "", "not the output of orrery kernel run --json", remedy: "Measure again.")
            }
            return report
        }
    }

    init?(_ node: JSONNode) {
        guard let operation = node["operation"]?.string, let title = node["title"]?.string,
            let sizes = node["shape"], let threads = node["threads"]?.count(in: 1...1 << 16),
            let machine = node["machine"].flatMap(Machine.init), let measuredAt = node["measured_at"]?.double,
            let flops = node["flops"]?.double, let bytes = node["bytes"]?.double,
            let workingSet = node["working_set_bytes"]?.count(in: 0...1 << 50),
            let level = node["level"]?.string.flatMap(MemoryLevel.init(rawValue:)),
            let peak = node["peak"].flatMap(Roof.init), let bandwidth = node["bandwidth"].flatMap(Roof.init),
            let rungs = node["rungs"]?.all(Rung.init),
            let conditions = node["conditions"].flatMap(MeasurementConditions.init),
            let counters = node["counters"]?.string, let notes = node["notes"]?.all(\.string)
        else { return nil }
        var shape = KernelShape([:])
        for (name, value) in sizes.members {
            if let name = name.string, let size = value.count(in: 0...1 << 50) { shape[name] = size }
        }
        self.init(
            operation: operation, title: title, shape: shape, threads: threads, machine: machine,
            measuredAt: measuredAt, cost: KernelCost(flops: flops, bytes: bytes), workingSet: workingSet, level: level,
            peak: peak, bandwidth: bandwidth, rungs: rungs, conditions: conditions, counters: counters, notes: notes,
            oneThread: node["one_thread"].flatMap(Roofs.init))
    }
}

extension KernelReport.Roof {
    init?(_ node: JSONNode) {
        guard let name = node["name"]?.string, let rate = MeasuredRate(node) else { return nil }
        self.init(name: name, rate: rate)
    }
}

extension KernelReport.Roofs {
    init?(_ node: JSONNode) {
        guard let threads = node["threads"]?.count(in: 1...1 << 16),
            let level = node["level"]?.string.flatMap(MemoryLevel.init(rawValue:)),
            let peak = node["peak"].flatMap(KernelReport.Roof.init),
            let bandwidth = node["bandwidth"].flatMap(KernelReport.Roof.init)
        else { return nil }
        self.init(threads: threads, level: level, peak: peak, bandwidth: bandwidth)
    }
}

extension KernelReport.Rung {
    init?(_ node: JSONNode) {
        guard let name = node["name"]?.string, let idea = node["idea"]?.string,
            let threads = node["threads"]?.count(in: 1...1 << 16)
        else { return nil }
        let reason = node["reason"]?.string ?? ""
        switch node["outcome"]?.string {
        case "unavailable": self.init(name: name, idea: idea, threads: threads, outcome: .unavailable(reason))
        case "disagrees": self.init(name: name, idea: idea, threads: threads, outcome: .disagrees(reason))
        case "measured":
            guard let figures = KernelFigures(node) else { return nil }
            self.init(name: name, idea: idea, threads: threads, outcome: .measured(figures))
        default: return nil
        }
    }
}

extension KernelFigures {
    init?(_ node: JSONNode) {
        guard let rate = node["operations_per_second"].flatMap(MeasuredRate.init),
            let bytesPerSecond = node["bytes_per_second"]?.double, let traffic = node["traffic_bytes"]?.double,
            let share = node["share_of_attainable"]?.double, let peakShare = node["share_of_peak"]?.double,
            let low = node["share_p10"]?.double, let high = node["share_p90"]?.double,
            let seconds = node["seconds_per_call"]?.double,
            let processorSeconds = node["processor_seconds_per_call"]?.double,
            let calls = node["calls"]?.count(in: 0...1 << 50),
            let interrupted = node["interrupted"]?.count(in: 0...1 << 50),
            let agreement = node["error"].flatMap(KernelAgreement.init), let rounds = node["rounds"]?.all(Round.init)
        else { return nil }
        self.init(
            rate: rate, bytesPerSecond: bytesPerSecond, traffic: traffic,
            intensity: node["intensity"]?.double ?? .infinity,
            shareOfAttainable: share, shareOfPeak: peakShare, shareLow: low, shareHigh: high, rounds: rounds,
            secondsPerCall: seconds, processorSecondsPerCall: processorSeconds, calls: calls, interrupted: interrupted,
            agreement: agreement, cyclesPerCall: node["cycles_per_call"]?.count(in: 0...1 << 60),
            instructionsPerCall: node["instructions_per_call"]?.count(in: 0...1 << 60))
    }
}

extension KernelFigures.Round {
    init?(_ node: JSONNode) {
        guard let pair = node.all(\.double), pair.count == 2, let round = Int(exactly: pair[0]) else { return nil }
        self.init(round: round, share: pair[1])
    }
}

extension KernelAgreement {
    init?(_ node: JSONNode) {
        guard let worst = node["worst"]?.double, let bound = node["bound"]?.string, let place = node["place"]?.string,
            let compared = node["compared"]?.count(in: 0...1 << 50)
        else { return nil }
        self.init(
            worst: worst, bound: bound, place: place, compared: compared, isChecked: node["checked"]?.bool ?? true)
    }
}
