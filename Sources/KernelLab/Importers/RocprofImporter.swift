/// Reads the CSV files of AMD's profilers: kernel traces and counters of `rocprofv3`, counters of `rocprof-compute`.
///
/// - A kernel trace has a row a dispatch and no counters.
/// - The counter collection of `rocprofv3` has a row a dispatch and counter.
/// - `rocprof-compute` (`pmc_perf.csv`) and the first `rocprof` have a row a dispatch and a column a counter.
///
/// Columns are found by name, whatever their case and underscores.
struct RocprofImporter: ProfileImporter {
    static let format = "rocprof"
    static let tool = "rocprof"
    static let recipe = "rocprofv3 --kernel-trace --output-format csv -- PROGRAM"

    private typealias Key = String
    /// Dispatches whose counters may still come, oldest first: rows of one dispatch stand near each other.
    private var open: [Key: (launch: Launch, counters: RocprofCounters)] = [:]
    private var order: [Key] = []
    private var begun: Int64?

    private static let mostOpen = 8_192

    init(options: ProfileImportOptions) {}

    static func recognizes(_ head: [UInt8]) -> Bool {
        let line = head.prefix { $0 != 0x0A }.prefix(8 << 10)
        let text = RocprofHeader.folded(String(decoding: line, as: UTF8.self))
        guard text.contains(",") else { return false }
        if text.contains("kernelname") {
            return ["agentid", "gpuid", "dispatchid", "queueid"].contains { text.contains($0) }
        }
        return text.contains("totaldurationns") && text.contains("calls")
    }

    mutating func read(_ source: ProfileSource, into sink: ProfileSink) throws {
        let reader = try CSVReader(source)
        var record = CSVRecord()
        guard try reader.next(into: &record) else { return }
        let header = try RocprofHeader(record, source)
        if header.counterName == nil && header.counters.isEmpty {
            sink.note("The kernel trace has no counters: launches have times but no point on the roofline.")
        }
        while try reader.next(into: &record) {
            if record.isBlank { continue }
            guard record.count == header.count else {
                throw source.error(
                    line: record.line, "the row has \(record.count) fields, but the header has \(header.count)",
                    "The file is truncated or was edited. Export it again.")
            }
            try take(record, header, source, sink)
        }
        try flush(to: 0, sink)
    }

    private mutating func take(
        _ record: CSVRecord, _ header: RocprofHeader, _ source: ProfileSource, _ sink: ProfileSink
    ) throws {
        guard let nameField = header.counterName else {
            var counters = RocprofCounters()
            for (name, field) in header.counters {
                if let value = record.number(field) { counters.add(name, value) }
            }
            let launch = try describe(record, header, source, sink)
            try finish(launch, counters, sink)
            return
        }
        guard let dispatch = record.text(header.dispatch) else {
            throw source.error(
                line: record.line, "the row has no Dispatch_Id", "The file was edited. Export it again.")
        }
        let key = "\(dispatch)|\(record.text(header.process) ?? "")|\(record.text(header.agent) ?? "")"
        if open[key] == nil {
            if order.count >= Self.mostOpen { try flush(to: Self.mostOpen / 2, sink) }
            open[key] = (try describe(record, header, source, sink), RocprofCounters())
            order.append(key)
        }
        if let name = record.text(nameField), let value = record.number(header.counterValue) {
            open[key]?.counters.add(name, value)
        }
    }

    private mutating func flush(to count: Int, _ sink: ProfileSink) throws {
        let leaving = order.prefix(max(0, order.count - count))
        for key in leaving {
            if let (launch, counters) = open.removeValue(forKey: key) { try finish(launch, counters, sink) }
        }
        order.removeFirst(leaving.count)
    }

    private func finish(_ launch: Launch, _ counters: RocprofCounters, _ sink: ProfileSink) throws {
        var launch = launch
        if !counters.values.isEmpty { RocprofFormulas(counters: counters).apply(to: &launch) }
        for (name, value) in counters.values.sorted(by: { $0.key < $1.key }) {
            launch.counters.append(Launch.Counter(name: try sink.counter(name), value: value))
        }
        try sink.add(launch)
    }

    private mutating func describe(
        _ record: CSVRecord, _ header: RocprofHeader, _ source: ProfileSource, _ sink: ProfileSink
    ) throws -> Launch {
        var launch = Launch(ordinal: 0, name: record.text(header.kernel) ?? "unnamed kernel")
        launch.externalID = record.text(header.dispatch)
        launch.stream = record.text(header.stream) ?? record.text(header.queue)
        let agent = record.text(header.agent) ?? "0"
        launch.device = try sink.device(agent, name: Int(agent) == nil ? agent : "device \(agent)")
        launch.registers = record.integer(header.registers)
        launch.sharedMemory = record.integer(header.sharedMemory)
        let block = header.extent(record, header.block, header.blockSides)
        launch.block = block
        // AMD counts work-items where others count blocks.
        if let items = header.extent(record, header.grid, header.gridSides) {
            launch.grid =
                block.map { Extent(items.x / max(1, $0.x), items.y / max(1, $0.y), items.z / max(1, $0.z)) }
                ?? items
        }
        if let start = header.time(record, header.start) {
            let first = begun ?? start
            begun = first
            launch.start = Double(start &- first) * 1e-9
            if let end = header.time(record, header.end), end > start {
                launch.duration = Double(end &- start) * 1e-9
            }
        }
        if launch.duration == nil, let duration = record.number(header.duration), duration > 0 {
            launch.duration = duration * 1e-9
        }
        return launch
    }
}
