internal import Configuration
internal import Glibc
public import System
internal import TOMLKit

extension OwnKernel {
    /// Reads the TOML file next to a kernel; for a path that ends in `.c`, the one next to it.
    public init(contentsOf path: String) throws(Problem) {
        let description = path.hasSuffix(".c") ? String(path.dropLast(2)) + ".toml" : path
        try self.init(toml: Self.text(of: description), path: description)
        guard access(source, R_OK) == 0 else {
            throw Problem(
                .failed, source, "\(String(cString: strerror(errno))). \(description) names this file as the source")
        }
    }

    /// - Parameter path: where the text stands: other files are looked for next to it.
    public init(toml: String, path: String) throws(Problem) {
        let root: TOMLTable
        do { root = try TOMLDocument(toml).root } catch {
            throw Problem(.invalid, path, line: error.line, "invalid TOML: \(error.words)")
        }
        let known: Set = [
            "source", "function", "reference", "compiler", "flags", "flops", "bytes", "tolerance", "time_limit",
            "sizes",
            "argument",
        ]
        for key in root.keys where !known.contains(key) {
            throw Problem(
                .unknown, path, "unknown key `\(key)`", remedy: "Available: \(known.sorted().joined(separator: ", ")).")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let stem = String(path.dropFirst(folder.count).prefix { $0 != "." })
        let file = root["source"]?.string ?? stem + ".c"
        self.path = path
        source = file.hasPrefix("/") ? file : folder + file
        let sourceStem = String(file.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? "")
        function = root["function"]?.string ?? sourceStem
        reference = root["reference"]?.string
        compiler = root["compiler"]?.string ?? "cc"
        flags = root["flags"]?.array.map { $0.compactMap(\.string) } ?? ["-O3", "-march=native"]
        tolerance = root["tolerance"]?.double ?? root["tolerance"]?.int.map(Double.init) ?? 1e-5
        timeLimit = root["time_limit"]?.double ?? root["time_limit"]?.int.map(Double.init) ?? 10
        for name in [function] + (reference.map { [$0] } ?? []) where !Self.isName(name) {
            throw Problem(.invalid, path, "\(name) is not a valid C function name")
        }
        guard tolerance >= 0, timeLimit > 0, timeLimit <= 3600 else {
            throw Problem(.limit, path, "`tolerance` must be at least 0, and `time_limit` above 0 and at most 3600 s")
        }
        sizes = try Self.sizes(root, path)
        arguments = try Self.arguments(root, path)
        flops = try Self.formula(root, "flops", path)
        bytes = try Self.formula(root, "bytes", path)
        try check()
    }

    private static func sizes(_ root: TOMLTable, _ path: String) throws(Problem) -> [Size] {
        guard let table = root["sizes"] else { return [] }
        guard let table = table.table else {
            throw Problem(.invalid, path, "`sizes` must be a table", remedy: "Example: [sizes], then n = 1000.")
        }
        var sizes: [Size] = []
        for name in table.keys {
            guard let value = table[name]?.int, value > 0, value <= 1 << 40 else {
                throw Problem(.invalid, path, "the size `\(name)` must be an integer above 0")
            }
            sizes.append(Size(name: name, value: value))
        }
        return sizes.sorted { $0.name < $1.name }
    }

    private static func arguments(_ root: TOMLTable, _ path: String) throws(Problem) -> [Argument] {
        guard let list = root["argument"]?.array, !list.isEmpty, list.count <= 64 else {
            throw Problem(
                .missing, path, "missing [[argument]]", remedy: "Add one for each argument of the function, in order.")
        }
        var arguments: [Argument] = []
        for (index, entry) in list.enumerated() {
            guard let table = entry.table, let name = table["name"]?.string, isName(name) else {
                throw Problem(.invalid, path, "argument \(index + 1) needs a `name`")
            }
            guard let role = Role(rawValue: table["role"]?.string ?? "") else {
                throw Problem(
                    .invalid, path,
                    "argument \(name): `role` must be one of "
                        + "\(Role.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let typeName = table["type"]?.string ?? (role == .size ? "i64" : "f32")
            guard let type = ElementType(rawValue: typeName) else {
                throw Problem(
                    .invalid, path,
                    "argument \(name): `type` must be one of "
                        + "\(ElementType.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let count = table["count"]?.string ?? table["count"]?.int.map(String.init) ?? (role == .size ? "1" : "")
            do {
                arguments.append(Argument(name: name, role: role, type: type, count: try SizeExpression(count)))
            } catch {
                throw Problem(.invalid, path, "argument \(name), `count`: \(error.what)")
            }
        }
        return arguments
    }

    private static func formula(_ root: TOMLTable, _ key: String, _ path: String) throws(Problem)
        -> SizeExpression
    {
        guard let text = root[key]?.string ?? root[key]?.int.map(String.init) else {
            throw Problem(.missing, path, "missing `\(key)`", remedy: "Add a formula of the sizes, such as \"2 * n\".")
        }
        do { return try SizeExpression(text) } catch { throw Problem(.failed, path, "`\(key)`: \(error.what)") }
    }

    private func check() throws(Problem) {
        let names = Set(sizes.map(\.name))
        for argument in arguments {
            if argument.role == .size, !names.contains(argument.name) {
                throw Problem(
                    .missing, path, "argument \(argument.name) is a size without a value",
                    remedy: "Add it under [sizes].")
            }
            if let unknown = argument.count.names.subtracting(names).sorted().first {
                throw Problem(.unknown, path, "argument \(argument.name) uses `\(unknown)`, which is not under [sizes]")
            }
        }
        for (key, formula) in [("flops", flops), ("bytes", bytes)] {
            if let unknown = formula.names.subtracting(names).sorted().first {
                throw Problem(.unknown, path, "`\(key)` uses `\(unknown)`, which is not under [sizes]")
            }
            guard formula.value(sizeTable).isFinite, formula.value(sizeTable) >= 0 else {
                throw Problem(.missing, path, "`\(key)` has no value for these sizes")
            }
        }
        guard arguments.contains(where: { $0.role.isWritten }) else {
            throw Problem(
                .missing, path, "no argument has role \"output\" or \"both\"",
                remedy: "At least one is needed for the check.")
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128
            && text.utf8.allSatisfy { $0 == 95 || (48...57 ~= $0) || (65...90 ~= $0) || (97...122 ~= $0) }
            && !(48...57 ~= text.utf8.first ?? 48)
    }

    /// Digest of the TOML file and the C file as they are now, by which runs of other versions are marked.
    public var sourceDigest: String {
        // Failure is harmless: compiling reports an unreadable file, and no measured version has its digest.
        digest([path, source].map { (try? Self.text(of: $0)) ?? "" }.joined(separator: "\0"))
    }

    private static func text(of path: String) throws(Problem) -> String {
        let remedy = "A kernel needs a C file and a TOML file of the same name next to it."
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Problem(.invalid, path, "not a file", remedy: remedy)
        }
        return try SmallFile.text(path, limit: 1 << 20, remedy: remedy)
    }
}
