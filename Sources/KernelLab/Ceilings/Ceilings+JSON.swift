public import JSON
internal import Kernels
internal import System

extension Ceilings: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("machine", machine)
            json.member("measured_at", measuredAt)
            json.member("clock_hz", clock)
            json.member("threads", sets)
            json.member("latencies", latencies)
            json.member("conditions", conditions)
            json.member("counters", counters)
            json.member("notes", notes)
        }
    }

    /// Reads what `json` wrote.
    ///
    /// - Throws: `JSONError` for what is not JSON, `Problem` for what are not ceilings.
    public init(json text: String) throws {
        self = try JSONParser().parse(text) { node in
            guard let ceilings = Ceilings(node) else { throw Ceilings.unreadable }
            return ceilings
        }
    }

    init?(_ node: JSONNode) {
        guard let machine = node["machine"].flatMap(Machine.init), let measuredAt = node["measured_at"]?.double,
            let clock = node["clock_hz"].flatMap(MeasuredRate.init),
            let sets = node["threads"]?.all(ThreadSet.init), let latencies = node["latencies"]?.all(Latency.init),
            let conditions = node["conditions"].flatMap(MeasurementConditions.init),
            let counters = node["counters"]?.string, let notes = node["notes"]?.all(\.string)
        else { return nil }
        self.init(
            machine: machine, measuredAt: measuredAt, sets: sets, latencies: latencies, clock: clock,
            conditions: conditions, counters: counters, notes: notes)
    }
}

extension Ceilings {
    static let unreadable = Problem(
        .invalid, "", "not the output of orrery kernel ceilings --json", remedy: "Measure the ceilings again.")
}

extension Ceilings.ThreadSet: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("threads", threads)
            json.member("compute", compute)
            json.member("memory", memory)
        }
    }

    init?(_ node: JSONNode) {
        guard let threads = node["threads"]?.count(in: 1...1 << 16),
            let compute = node["compute"]?.all(Ceilings.Compute.init),
            let memory = node["memory"]?.all(Ceilings.Bandwidth.init)
        else { return nil }
        self.init(threads: threads, compute: compute, memory: memory)
    }
}

extension Ceilings.Compute: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("arithmetic", arithmetic.rawValue)
            json.member("operations_per_second", rate)
        }
    }

    init?(_ node: JSONNode) {
        guard let name = node["name"]?.string, let rate = node["operations_per_second"].flatMap(MeasuredRate.init),
            let arithmetic = node["arithmetic"]?.string.flatMap(KernelArithmetic.init(rawValue:))
        else { return nil }
        self.init(name: name, arithmetic: arithmetic, rate: rate)
    }
}

extension Ceilings.Bandwidth: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("level", level.rawValue)
            json.member("kernel", kernel.rawValue)
            json.member("bytes_per_thread", bytesPerThread)
            json.member("bytes_per_second", rate)
        }
    }

    init?(_ node: JSONNode) {
        guard let level = node["level"]?.string.flatMap(MemoryLevel.init(rawValue:)),
            let kernel = node["kernel"]?.string.flatMap(BandwidthKernel.init(rawValue:)),
            let bytes = node["bytes_per_thread"]?.count(in: 0...1 << 50),
            let rate = node["bytes_per_second"].flatMap(MeasuredRate.init)
        else { return nil }
        self.init(level: level, kernel: kernel, rate: rate, bytesPerThread: bytes)
    }
}

extension Ceilings.Latency: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("level", level.rawValue)
            json.member("nanoseconds", nanoseconds)
            json.member("bytes", bytes)
        }
    }

    init?(_ node: JSONNode) {
        guard let level = node["level"]?.string.flatMap(MemoryLevel.init(rawValue:)),
            let nanoseconds = node["nanoseconds"]?.double, let bytes = node["bytes"]?.count(in: 0...1 << 50)
        else { return nil }
        self.init(level: level, nanoseconds: nanoseconds, bytes: bytes)
    }
}

extension JSONNode {
    /// The elements of an array, read one by one; `nil` if this is not an array or one of them cannot be read.
    func all<Value>(_ read: (JSONNode) -> Value?) -> [Value]? {
        guard kind == .array else { return nil }
        var values: [Value] = []
        for element in elements {
            guard let value = read(element) else { return nil }
            values.append(value)
        }
        return values
    }
}
