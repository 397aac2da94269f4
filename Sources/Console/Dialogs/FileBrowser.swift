internal import Formatting

/// A chooser for files and folders that lists one folder at a time, next to a preview of the entry under the cursor.
///
/// The browser reads no files. `press` returns the folder to read, and `show` receives its listing, so a slow file
/// system never delays a key. Typed paths work as on a command line: `~/`, `/`, and `../` change the folder at once.
public struct FileBrowser: Sendable {
    /// Kinds of entries that the user can choose.
    public enum Selectable: Hashable, Sendable {
        /// Files only.
        case file
        /// Files and folders.
        case fileOrFolder
    }

    /// One file or folder of a listing.
    public struct Entry: Hashable, Sendable {
        /// Name without the folder.
        public var name: String
        /// Whether the entry is a folder.
        public var isFolder: Bool
        /// Size in bytes; 0 for folders.
        public var bytes: Int
        /// Modification time, in nanoseconds since 1970.
        public var modified: Int64

        /// Creates an entry.
        public init(name: String, isFolder: Bool, bytes: Int, modified: Int64) {
            self.name = name
            self.isFolder = isFolder
            self.bytes = bytes
            self.modified = modified
        }
    }

    /// The entries of a folder.
    public struct Listing: Sendable {
        /// Absolute path of the folder.
        public var folder: String
        /// Files and folders, in any order.
        public var entries: [Entry]
        /// Reason why the folder could not be read; `nil` if it was read.
        public var problem: String?

        /// Creates a listing.
        public init(folder: String, entries: [Entry], problem: String? = nil) {
            self.folder = folder
            self.entries = entries
            self.problem = problem
        }
    }

    /// Purpose of the choice, shown before the folder.
    public let title: String
    /// Kinds of entries that the user can choose.
    public let selectable: Selectable
    /// Returns whether the caller expects a file with this name. Other files are dimmed but can be chosen.
    public let isExpected: @Sendable (String) -> Bool
    /// Absolute path of the shown folder, without a trailing slash except for `/`.
    public private(set) var folder: String
    /// The home folder, for `~/`.
    let home: String
    /// Current time for the ages of files, in nanoseconds since 1970.
    let now: Int64
    private(set) var chooser: Chooser<Target>
    private(set) var preview: (path: String, lines: [String])?
    private var entries: [Entry] = []
    private var showsHidden = false

    /// Targets of the rows of the list: entries, or the shown folder itself.
    enum Target: Hashable, Sendable {
        case entry(Entry)
        /// The shown folder, offered if folders can be chosen.
        case thisFolder
    }

    /// Creates a file browser; the caller then reads `folder` and passes its listing to `show`.
    public init(
        _ title: String, selectable: Selectable, folder: String, home: String, now: Int64,
        isExpected: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.title = title
        self.selectable = selectable
        self.folder = folder
        self.home = home
        self.now = now
        self.isExpected = isExpected
        chooser = Chooser("", [])
        rebuild(query: "", empty: "Reading \(folder) …")
    }

    /// Results of pressing a key.
    public enum Outcome: Hashable, Sendable {
        /// The browser stays open.
        case stays
        /// The caller must read this folder and pass the listing to `show`.
        case list(String)
        /// The user chose this absolute path. A typed path may not exist.
        case chosen(String)
        /// The user closed the browser without a choice.
        case closed
    }

    /// Handles a key: text filters, Enter opens a folder or chooses a file, and Backspace on an empty filter goes up.
    public mutating func press(_ key: Key) -> Outcome {
        switch (key.code, key.modifiers) {
        case (.backspace, _) where chooser.query.isEmpty, (.left, _) where chooser.query.isEmpty:
            return go(to: Self.parent(of: folder))
        case (.right, _) where chooser.query.isEmpty:
            guard case .entry(let entry)? = chooser.selected?.value, entry.isFolder else { return .stays }
            return go(to: path(of: entry.name))
        // A folder name typed in full is chosen even before its listing arrives; a slash enters the folder.
        case (.enter, _) where selectable != .file && entries.contains { $0.isFolder && $0.name == chooser.query }:
            return .chosen(path(of: chooser.query))
        default: break
        }
        switch chooser.press(key) {
        case .closed: return .closed
        case .chosen(let targets): return take(targets[0])
        case .typed(let name): return .chosen(path(of: name))
        case .refused, .stays: return followQuery()
        }
    }

    /// Adds pasted text to the filter.
    public mutating func paste(_ text: String) -> Outcome {
        chooser.paste(text)
        return followQuery()
    }

    /// Moves to the row drawn at a point on the screen; returns false if there is no row.
    public mutating func click(at point: Point, in screen: Rect) -> Bool {
        chooser.click(at: point, in: parts(of: screen).list)
    }

    /// Shows a listing. A late listing of a different folder is ignored.
    public mutating func show(_ listing: Listing) {
        guard listing.folder == folder else { return }
        entries = listing.entries.sorted { first, second in
            if first.isFolder != second.isFolder { return first.isFolder }
            return first.name < second.name
        }
        rebuild(query: chooser.query, empty: listing.problem ?? "No files here. Type . to show hidden files.")
    }

    /// Path of the entry under the cursor; `nil` if its preview has already been provided.
    public var missingPreview: String? {
        guard case .entry(let entry)? = chooser.selected?.value else { return nil }
        let path = path(of: entry.name)
        return preview?.path == path ? nil : path
    }

    /// Shows the first lines of a file, or the entries of a folder.
    public mutating func show(preview lines: [String], of path: String) { preview = (path, lines) }

    // MARK: Paths

    /// Enters a typed folder as soon as its slash is typed.
    private mutating func followQuery() -> Outcome {
        let query = chooser.query
        guard let slash = query.lastIndex(of: "/") else {
            if query.hasPrefix(".") != showsHidden {
                showsHidden = query.hasPrefix(".")
                rebuild(query: query, empty: chooser.emptyText)
            }
            return .stays
        }
        let typed = String(query[...slash])
        let rest = String(query[query.index(after: slash)...])
        return go(to: resolved(typed), query: rest)
    }

    private func resolved(_ typed: String) -> String {
        if typed.hasPrefix("/") { return Self.normalized(typed) }
        if typed.hasPrefix("~/") { return Self.normalized(home + typed.dropFirst()) }
        return Self.normalized(path(of: typed))
    }

    private mutating func take(_ target: Target) -> Outcome {
        switch target {
        case .thisFolder: .chosen(folder)
        case .entry(let entry) where entry.isFolder: go(to: path(of: entry.name))
        case .entry(let entry): .chosen(path(of: entry.name))
        }
    }

    private mutating func go(to folder: String, query: String = "") -> Outcome {
        self.folder = folder
        entries = []
        preview = nil
        showsHidden = query.hasPrefix(".")
        rebuild(query: query, empty: "Reading \(folder) …")
        return .list(folder)
    }

    private func path(of name: String) -> String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }

    /// Returns an absolute path without `.`, `..`, or doubled slashes.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    static func parent(of folder: String) -> String { normalized(folder + "/..") }

    private mutating func rebuild(query: String, empty: String) {
        var choices: [Choice<Target>] = []
        if selectable != .file { choices.append(Choice("./", facts: ["this folder", ""], value: .thisFolder)) }
        for entry in entries where showsHidden || !entry.name.hasPrefix(".") {
            let isDimmed = !entry.isFolder && !isExpected(entry.name)
            choices.append(
                Choice(
                    entry.isFolder ? entry.name + "/" : entry.name, group: isDimmed ? "·" : "",
                    facts: [entry.isFolder ? "" : Format.bytes(entry.bytes), age(of: entry)], value: .entry(entry)))
        }
        chooser = Chooser("\(title): \(Self.abbreviated(folder, home: home))", choices)
        chooser.typedAction = "Open"
        chooser.emptyText = empty
        chooser.placeholder = "type to filter, / or ~/ for a path, Backspace for the parent folder"
        chooser.setQuery(query)
    }

    private func age(of entry: Entry) -> String {
        Format.clock(Int(entry.modified / 1_000_000_000), now: Int(now / 1_000_000_000))
    }

    private static func abbreviated(_ path: String, home: String) -> String {
        path == home ? "~" : path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }
}
