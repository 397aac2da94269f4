internal import Console
internal import Glibc

/// The themes that can be chosen: the built-in ones, and the person's own in the settings folder.
enum Themes {
    /// Their own: `themes/NAME.toml` under the settings folder.
    private static var folder: String { XDG.current.config + "/themes" }

    static var names: [String] { Theme.builtIn.map(\.name) + own }

    private static var own: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if file.hasSuffix(".toml") { names.append(String(file.dropLast(5))) }
        }
        return names.sorted()
    }

    /// The theme of a name.
    ///
    /// - Throws: `ThemeError` with the line that is wrong; nil where there is no such theme.
    static func named(_ name: String) throws -> Theme? {
        if let theme = Theme.named(name) { return theme }
        guard own.contains(name), let file = fopen("\(folder)/\(name).toml", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return try Theme(toml: String(decoding: bytes[..<count], as: UTF8.self))
    }
}
