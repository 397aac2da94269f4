internal import Configuration
public import System
import TOMLKit

extension DeviceCatalog {
    /// Reads the user's own peaks from TOML text.
    ///
    /// ```toml
    /// [devices."My Card"]
    /// aliases = ["NVIDIA My Card 24GB"]
    /// fp32 = 35.6            # TFLOP/s; also fp64, fp16, tf32, bf16, fp8, fp4, int8
    /// bf16 = 71.2
    /// memory = 936           # GB/s; also l2 and l1
    /// l2_size = 6            # MiB
    /// source = "measured, 2026-11-03"
    /// ```
    /// - Parameter path: what the sentence of an error names.
    public init(toml: String, path: String = "peaks") throws(Problem) {
        let document: TOMLDocument
        do { document = try TOMLDocument(toml) } catch {
            throw Self.problem(path: path, line: error.line, problem: error.sentence)
        }
        let (root, lines) = (document.root, document.lines)
        for key in root.keys where key != "devices" {
            throw Self.problem(
                path: path, line: lines[[key]], problem: "unknown key `\(key)`")
        }
        guard let devices = root["devices"]?.table else {
            throw Self.problem(path: path, problem: "missing table [devices.\"NAME\"]")
        }
        var peaks: [DevicePeaks] = []
        for name in devices.keys {
            let line = lines[["devices", name]]
            guard let table = devices[name]?.table else {
                throw Self.problem(path: path, line: line, problem: "`\(name)` is not a table")
            }
            peaks.append(try Self.device(name, table, path: path, line: line, lines))
        }
        self.init(devices: peaks)
    }

    /// Reads the file of a user.
    public init(contentsOf path: String) throws(Problem) {
        try self.init(toml: SmallFile.text(path, limit: 1 << 20), path: path)
    }

    private static let rates: [(key: String, name: String)] = [
        ("fp64", "FP64"), ("fp32", "FP32"), ("tf32", "TF32"), ("fp16", "FP16"), ("bf16", "BF16"), ("fp8", "FP8"),
        ("fp4", "FP4"), ("int8", "INT8"),
    ]

    private static func device(
        _ name: String, _ table: TOMLTable, path: String, line: Int?, _ lines: TOMLLines
    ) throws(Problem) -> DevicePeaks {
        let known = Set(rates.map(\.key) + ["memory", "l2", "l1", "l2_size", "aliases", "source", "formula"])
        for key in table.keys where !known.contains(key) {
            throw Self.problem(
                path: path, line: lines[["devices", name, key]], problem: "\(name) has an unknown key `\(key)`")
        }
        func figure(_ key: String) throws(Problem) -> Double? {
            guard let value = table[key] else { return nil }
            guard let figure = value.double ?? value.int.map(Double.init), figure.isFinite, figure > 0 else {
                throw Self.problem(
                    path: path, line: lines[["devices", name, key]],
                    problem: "`\(key)` of \(name) must be a number above 0")
            }
            return figure
        }
        var compute: [DevicePeaks.Peak] = []
        for (key, title) in rates {
            if let rate = try figure(key) { compute.append(.init(title, rate)) }
        }
        guard !compute.isEmpty, let memory = try figure("memory") else {
            throw Self.problem(
                path: path, line: line, problem: "\(name) needs \(compute.isEmpty ? "a rate such as fp32" : "memory")")
        }
        var caches: [DevicePeaks.Bandwidth] = []
        for (key, title) in [("l1", "L1"), ("l2", "L2")] {
            if let rate = try figure(key) { caches.append(.init(title, rate)) }
        }
        let aliases = table["aliases"]?.array.map { array in array.compactMap { $0.string } }
        if table["aliases"] != nil, aliases == nil {
            throw Self.problem(
                path: path, line: lines[["devices", name, "aliases"]],
                problem: "`aliases` of \(name) must be an array of strings")
        }
        return DevicePeaks(
            name: name, aliases: aliases ?? [], compute: compute, memoryBandwidth: memory, caches: caches,
            cacheSize: try figure("l2_size"), formula: table["formula"]?.string ?? "",
            source: table["source"]?.string ?? "the user's \(path.split(separator: "/").last ?? "peaks.toml")")
    }

    private static func problem(path: String, line: Int? = nil, problem: String) -> Problem {
        Problem(
            .invalid, path, line: line, problem,
            remedy: "Describe a device as [devices.\"name\"] with rates such as fp32 and bf16 in TFLOP/s, memory in "
                + "GB/s, and optionally aliases, l2, l1, l2_size, and source.")
    }
}
