/// Which column of a table of AMD's profilers holds what.
struct RocprofHeader {
    let count: Int
    let kernel: Int
    /// Columns that are counters, with their names.
    let counters: [(name: String, field: Int)]
    private let columns: [String: Int]

    private static let descriptive: Set<String> = [
        "kind", "agentid", "gpuid", "nodeid", "queueid", "queueindex", "streamid", "dispatchid", "index", "kernelid",
        "kernelname", "name", "correlationid", "processid", "pid", "threadid", "tid", "starttimestamp", "endtimestamp",
        "beginns", "endns", "durationns", "dispatchns", "completens", "ldsblocksize", "ldsblocksizev",
        "ldsperworkgroup", "lds", "scratchsize", "scratchperworkitem", "scratch", "scr", "vgprcount", "vgpr",
        "archvgpr", "accumvgprcount", "accumvgpr", "sgprcount", "sgpr", "wavesize", "sig", "obj", "gridsize", "grd",
        "gridsizex", "gridsizey", "gridsizez", "workgroupsize", "wgr", "workgroupsizex", "workgroupsizey",
        "workgroupsizez", "countername", "countervalue", "fbar", "guid",
    ]

    /// A name without case, underscores, dashes, spaces and quotes.
    static func folded(_ name: String) -> String { name.lowercased().filter { !"_- \"".contains($0) } }

    init(_ record: CSVRecord, _ source: ProfileSource) throws {
        var columns: [String: Int] = [:]
        var counters: [(String, Int)] = []
        for field in 0..<record.count {
            let name = record[field]
            let folded = Self.folded(name)
            if columns[folded] == nil { columns[folded] = field }
            if !Self.descriptive.contains(folded), !name.isEmpty { counters.append((name, field)) }
        }
        guard let kernel = columns["kernelname"] else {
            throw source.error(
                line: record.line, "the file is a summary of kernels without dispatches",
                "Use the kernel trace or the counter collection: \(RocprofImporter.recipe).")
        }
        self.kernel = kernel
        self.columns = columns
        count = record.count
        self.counters = columns["countername"] == nil ? counters : []
    }

    private func first(_ names: String...) -> Int? { names.lazy.compactMap { columns[$0] }.first }

    var counterName: Int? { columns["countername"] }
    var counterValue: Int? { columns["countervalue"] }
    var dispatch: Int? { first("dispatchid", "index") }
    var process: Int? { first("processid", "pid") }
    var agent: Int? { first("agentid", "gpuid") }
    var queue: Int? { first("queueid") }
    var stream: Int? { first("streamid") }
    var registers: Int? { first("vgprcount", "archvgpr", "vgpr") }
    var sharedMemory: Int? { first("ldsblocksize", "ldsperworkgroup", "lds", "ldsblocksizev") }
    var grid: Int? { first("gridsize", "grd") }
    var gridSides: [Int]? { sides("gridsize") }
    var block: Int? { first("workgroupsize", "wgr") }
    var blockSides: [Int]? { sides("workgroupsize") }
    var start: Int? { first("starttimestamp", "beginns") }
    var end: Int? { first("endtimestamp", "endns") }
    var duration: Int? { first("durationns") }

    private func sides(_ name: String) -> [Int]? {
        let sides = ["x", "y", "z"].compactMap { columns[name + $0] }
        return sides.count == 3 ? sides : nil
    }

    func extent(_ record: CSVRecord, _ whole: Int?, _ sides: [Int]?) -> Extent? {
        if let sides {
            let numbers = sides.compactMap { record.integer($0) }.filter { $0 >= 0 }
            return numbers.count == 3 ? Extent(numbers[0], numbers[1], numbers[2]) : nil
        }
        return record.text(whole).flatMap { Extent(parsing: $0) }
    }

    /// Nanoseconds: since 1970 they do not fit into a double.
    func time(_ record: CSVRecord, _ field: Int?) -> Int64? {
        guard let text = record.text(field) else { return nil }
        return Int64(text) ?? record.number(field).flatMap { Int64(exactly: $0.rounded()) }
    }
}
