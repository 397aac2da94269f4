internal import Configuration

extension KeyRebindings {
    /// Returns the text of `config.toml` with the keys of one action set. Comments, order, and blank lines stay.
    ///
    /// - Parameters:
    ///   - notation: the keys in the notation of `KeyNotation`: `ctrl-g`, `]x`; `none` leaves the action without a key.
    ///   - panel: the panel of the action; nil for the workbench's own actions.
    package static func text(
        _ text: String, settingKeysOf action: String, panel: String?, to notation: String
    ) -> String {
        let header = panel.map { "[keys.\($0)]" } ?? "[keys]"
        let line = "\(action) = \(SettingValue.text(notation).toml)"
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let path = ["keys"] + (panel.map { [$0] } ?? []) + [action]
        // Failure is harmless: invalid TOML has no such line, and the caller rejects the result.
        if let number = try? TOMLDocument(text).lines[path], lines.indices.contains(number - 1) {
            lines[number - 1] = line
        } else if let place = lines.firstIndex(where: { $0.trimmed == header }) {
            lines.insert(line, at: place + 1)
        } else {
            if lines.last == "" { lines.removeLast() }
            if !lines.isEmpty { lines.append("") }
            lines += [header, line, ""]
        }
        return lines.joined(separator: "\n")
    }

    /// Sets the keys of one action in a settings file, and creates the file if it is missing.
    ///
    /// - Returns: why the file could not be changed, or nil.
    package static func save(
        keysOf action: String, panel: String?, to notation: String, in path: String
    ) -> String? {
        var old = ""
        do { old = String(decoding: try SmallFile.read(path, limit: 1 << 20), as: UTF8.self) } catch .missing {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            guard XDG.makeFolder(folder) else { return "\(path) cannot be written: its folder cannot be made." }
        } catch {
            return "\(path) cannot be read, so the keys were not saved."
        }
        let new = text(old, settingKeysOf: action, panel: panel, to: notation)
        do { _ = try TOMLDocument(new) } catch {
            return "\(path), line \(error.line ?? 0) is not valid TOML: correct it first, then run :keys again."
        }
        return SmallFile.replace(path, with: new.utf8) ? nil : "\(path) cannot be written. Check its permissions."
    }
}

extension String {
    fileprivate var trimmed: Substring { drop { $0 == " " }.prefix { $0 != " " && $0 != "#" } }
}
