import GRDB
import GRDBSQLite
import Workspace

/// Reads the SQLite files that Nsight Systems exports: when kernels ran, and in what shape.
///
/// The tool samples no operations or bytes of single kernels, so that launches have a time and no place on the roof. The
/// file is opened for reading only, as one that never changes.
struct NsightSystemsImporter: ProfileImporter {
    static let format = "nsight-systems"
    static let tool = "Nsight Systems"
    static let recipe = "nsys export --type sqlite FILE.nsys-rep"

    private static let kernels = "CUPTI_ACTIVITY_KIND_KERNEL"
    private static let columns = [
        "start", "end", "deviceId", "streamId", "correlationId", "registersPerThread", "staticSharedMemory",
        "dynamicSharedMemory", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "demangledName", "shortName",
    ]

    init(options: ProfileImportOptions) {}

    /// Any SQLite file but a workspace, whose header says so.
    static func recognizes(_ head: [UInt8]) -> Bool {
        guard head.starts(with: Array("SQLite format 3\0".utf8)) else { return false }
        return !(head.count >= 72 && head[68..<72].elementsEqual("Orry".utf8))
    }

    mutating func read(_ source: ProfileSource, into sink: ProfileSink) throws {
        do {
            let queue = try Self.open(source.path)
            defer { try? queue.close() }
            try queue.inDatabase { db in try read(db, source, sink) }
        } catch let error as DatabaseError {
            let reason = error.message ?? error.resultCode.description
            throw source.error(
                "SQLite cannot read the database (\(reason))", "The file is damaged. Export it again: \(Self.recipe).")
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in
            // A foreign file's schema may name functions and tables that do harm.
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -8192")
        }
        let absolute = path.hasPrefix("/") ? path : "./" + path
        var escaped = ""
        for byte in absolute.utf8 {
            let isPlain = byte.isLetterOrDigit || "/._-".utf8.contains(byte)
            escaped += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
    }

    private func read(_ db: Database, _ source: ProfileSource, _ sink: ProfileSink) throws {
        let tables = try Self.tables(db)
        guard tables.contains(Self.kernels) else {
            if tables.contains("StringIds") {
                throw source.error(
                    "the Nsight Systems export has no kernels",
                    "Profile a program that launches kernels, with --trace=cuda.")
            }
            throw source.error(
                "the SQLite database is not an Nsight Systems export with kernels",
                "Create one: \(Self.recipe).")
        }
        let present = Set(try Self.columns(of: Self.kernels, db))
        guard present.contains("start"), present.contains("end") else {
            throw source.error(
                "the table of kernels has no start and end columns", "Export it again with a current release.")
        }
        let devices = try Self.devices(db, tables)
        let selection = Self.columns.map { present.contains($0) ? "\"\($0)\"" : "NULL" }.joined(separator: ", ")
        let names =
            tables.contains("StringIds")
            ? try Workspace.Statement(db, "SELECT value FROM StringIds WHERE id = ?") : nil
        var known: [Int64: String] = [:]
        let total = try Workspace.Statement(db, "SELECT count(*) FROM \(Self.kernels)").first { $0.int64(0) } ?? 0
        let rows = try Workspace.Statement(db, "SELECT \(selection) FROM \(Self.kernels) ORDER BY start")
        sink.note(
            "Nsight Systems does not count operations or bytes: launches have times but no point on the roofline.")
        var begun: Int64?
        var count = 0
        try rows.forEach { row in
            let name = try Self.name(row, names, &known)
            var launch = Launch(ordinal: 0, name: name ?? "unnamed kernel")
            let device = row.storedInt64(2) ?? 0
            let description = devices[device]
            launch.device = try sink.device(
                "\(device)", name: description?.name ?? "device \(device)", capability: description?.capability)
            launch.stream = row.storedInt64(3).map { "\($0)" }
            launch.externalID = row.storedInt64(4).map { "\($0)" }
            launch.registers = Self.small(row, 5)
            let shared = [Self.small(row, 6), Self.small(row, 7)].compactMap { $0 }
            launch.sharedMemory = shared.isEmpty ? nil : shared.reduce(0, +)
            launch.grid = Self.extent(row, 8)
            launch.block = Self.extent(row, 11)
            if let start = row.storedInt64(0) {
                let first = begun ?? start
                begun = first
                launch.start = Double(start &- first) * 1e-9
                if let end = row.storedInt64(1), end > start { launch.duration = Double(end &- start) * 1e-9 }
            }
            try sink.add(launch)
            count += 1
            if count % 4_096 == 0 {
                try source.checkCancellation()
                source.advance(by: Int(Double(source.size) * 4_096 / Double(max(1, total))))
            }
        }
    }

    /// Ordinary tables; what a view or a virtual table of a foreign file would do is not known.
    private static func tables(_ db: Database) throws -> Set<String> {
        var names: Set<String> = []
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 4096"
        try Workspace.Statement(db, sql).forEach { names.insert($0.text(0)) }
        return names
    }

    private static func columns(of table: String, _ db: Database) throws -> [String] {
        var names: [String] = []
        try Workspace.Statement(db, "SELECT name FROM pragma_table_info('\(table)')").forEach {
            names.append($0.text(0))
        }
        return names
    }

    private static func devices(
        _ db: Database, _ tables: Set<String>
    ) throws -> [Int64: (name: String, capability: String?)] {
        guard tables.contains("TARGET_INFO_GPU") else { return [:] }
        let present = Set(try columns(of: "TARGET_INFO_GPU", db))
        guard present.contains("id"), present.contains("name") else { return [:] }
        let hasCapability = present.contains("computeMajor") && present.contains("computeMinor")
        var physical: [Int64: (name: String, capability: String?)] = [:]
        let capability = hasCapability ? "computeMajor, computeMinor" : "NULL, NULL"
        try Workspace.Statement(db, "SELECT id, name, \(capability) FROM TARGET_INFO_GPU LIMIT 4096").forEach { row in
            let capability = row.storedInt64(2).flatMap { major in row.storedInt64(3).map { "\(major).\($0)" } }
            physical[row.int64(0)] = (row.text(1), capability)
        }
        // A process may see only some of the devices and number them by itself.
        guard tables.contains("TARGET_INFO_CUDA_DEVICE"),
            Set(try columns(of: "TARGET_INFO_CUDA_DEVICE", db)).isSuperset(of: ["gpuId", "cudaId"])
        else { return physical }
        var seen: [Int64: (name: String, capability: String?)] = [:]
        try Workspace.Statement(db, "SELECT cudaId, gpuId FROM TARGET_INFO_CUDA_DEVICE LIMIT 65536").forEach { row in
            if let device = physical[row.int64(1)] { seen[row.int64(0)] = device }
        }
        return seen.isEmpty ? physical : seen
    }

    private static func name(
        _ row: Workspace.Statement, _ names: Workspace.Statement?, _ known: inout [Int64: String]
    ) throws -> String? {
        for column: Int32 in [14, 15] {
            guard let id = row.storedInt64(column) else {
                if let text = row.storedText(column), !text.isEmpty { return text }
                continue
            }
            if let name = known[id] { return name }
            guard let names else { continue }
            names.bind(1, id)
            if let name = try names.first({ $0.text(0) }), !name.isEmpty {
                if known.count < 1 << 20 { known[id] = name }
                return name
            }
        }
        return nil
    }

    private static func small(_ row: Workspace.Statement, _ column: Int32) -> Int? {
        row.storedInt64(column).flatMap { $0 >= 0 && $0 <= 1 << 32 ? Int($0) : nil }
    }

    private static func extent(_ row: Workspace.Statement, _ first: Int32) -> Extent? {
        guard let x = small(row, first), let y = small(row, first + 1), let z = small(row, first + 2) else {
            return nil
        }
        return Extent(x, y, z)
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
