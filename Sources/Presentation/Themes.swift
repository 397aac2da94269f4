internal import Configuration
package import Console
internal import Glibc
internal import System

/// Available themes: the built-in ones, and the user's own in the settings folder.
package enum Themes {
    /// Folder of the user's themes: `themes/NAME.toml` under the settings folder.
    private static var folder: String { XDG.current.config + "/themes" }

    package static var names: [String] { Theme.builtIn.map(\.name) + own }

    private static var own: [String] {
        Folder.readableNames(in: folder, limit: 20_000).filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }
    }

    /// Returns the reason why a theme cannot be used, or `nil`.
    package static func problem(with name: String) -> String? {
        guard name != "auto" else { return nil }
        do {
            if try named(name) != nil { return nil }
            return "Unknown theme \"\(name)\". \(NearestName.remedy(name, among: names + ["auto"], none: ""))"
        } catch {
            return "The theme \(name) cannot be read: \(error)"
        }
    }

    /// Returns the theme with a name; `nil` if it does not exist.
    ///
    /// - Throws: `Problem` with the invalid line.
    package static func named(_ name: String) throws -> Theme? {
        if let theme = Theme.named(name) { return theme }
        guard own.contains(name), let bytes = SmallFile.head("\(folder)/\(name).toml", 1 << 20) else { return nil }
        return try Theme(toml: String(decoding: bytes, as: UTF8.self))
    }
}
