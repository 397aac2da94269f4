internal import Console
internal import Workspace

/// A place of the title line with its pages, as indices into the shell's panels.
struct PlacePages {
    let info: PlaceInfo
    var pages: [Int]

    /// Groups panels by place, in the order of first appearance.
    static func of(_ entries: [PanelEntry]) -> [PlacePages] {
        var places: [PlacePages] = []
        for (page, entry) in entries.enumerated() {
            if let index = places.firstIndex(where: { $0.info == entry.place }) {
                places[index].pages.append(page)
            } else {
                places.append(PlacePages(info: entry.place, pages: [page]))
            }
        }
        return places
    }
}

extension Shell {
    /// Index of the place of the current panel.
    var currentPlace: Int { places.firstIndex { $0.pages.contains(current) } ?? 0 }

    /// The places of the title line; the current one shows its pages.
    var tabBar: TabBar {
        let tabs = places.enumerated().map { index, place in
            TabBar.Tab(
                key: String(index + 1), title: place.info.title, pages: place.pages.map { panels[$0].title },
                page: place.pages.firstIndex(of: current) ?? 0)
        }
        return TabBar(tabs, selected: currentPlace)
    }

    /// Opens a place at the page that was shown last; if the place is in front, goes to its next page.
    func open(place index: Int) {
        let pages = places[index].pages
        // The tour explains the first page of each place.
        if tour != nil { return show(pages[0]) }
        if let shown = pages.firstIndex(of: current) { return show(pages[(shown + 1) % pages.count]) }
        show(lastPage(of: places[index]) ?? pages[0])
    }

    /// Opens the page or place with an identifier, or the place with a number.
    ///
    /// - Returns: Whether there is one.
    func open(named name: String) -> Bool {
        if let page = panels.firstIndex(where: { $0.identifier == name }) {
            show(page)
            return true
        }
        let number = Int(name)
        guard let place = places.indices.first(where: { $0 + 1 == number || places[$0].info.identifier == name })
        else { return false }
        if place != currentPlace { open(place: place) }
        return true
    }

    // MARK: The menu of pages

    /// Returns a list of all pages with their keys.
    ///
    /// - Parameter begun: Typed start of the keys, which is left out.
    func pageChooser(after begun: String = "") -> Chooser<Int> {
        let digits = Dictionary(
            uniqueKeysWithValues: places.enumerated().flatMap { index, place in
                place.pages.map { ($0, "\(index + 1) \(place.info.title)") }
            })
        let choices = panels.indices.map { page in
            let keys = keymap.bindings.first { $0.action == .panel(page) }?.label ?? ""
            let rest = keys.hasPrefix(begun) ? String(keys.dropFirst(begun.count)).trimmed : keys
            return Choice(
                panels[page].title, facts: [digits[page] ?? "", rest], isCurrent: page == current, value: page)
        }
        var chooser = Chooser("Pages", choices)
        chooser.factRole = .key
        return chooser
    }

    /// Shows the menu of pages if the typed keys start a sequence that opens a page.
    func showPageMenu() {
        let opensPage = keymap.continuations.contains { if case .panel = $0.action { true } else { false } }
        guard opensPage else { return }
        var menu = pageChooser(after: pendingKeys)
        menu.placeholder = panel.pendingKeys.isEmpty ? "press a letter" : "press a letter, or finish a key of this page"
        overlay = .pages(menu)
    }

    /// Continues the sequence with a typed character; other keys move in the menu.
    func press(_ key: Key, in menu: Chooser<Int>) {
        if case .character = key.code, key.modifiers.isSubset(of: .shift) {
            overlay = nil
            return resolve(key)
        }
        var menu = menu
        let outcome = menu.press(key)
        if case .stays = outcome { return overlay = .pages(menu) }
        closePageMenu()
        if case .chosen(let pages) = outcome { show(pages[0]) }
    }

    func click(_ point: Point, in menu: Chooser<Int>) {
        var menu = menu
        menu.click(at: point, in: Rect(size)) ? press(Key(.enter), in: menu) : closePageMenu()
    }

    /// Closes the menu and discards the typed start of the sequence.
    private func closePageMenu() {
        overlay = nil
        cancelPendingKeys()
    }

    /// Discards the typed start of a key sequence.
    func cancelPendingKeys() {
        keymap.cancelPending()
        panel.cancelPendingKeys()
    }

    // MARK: The last page

    private static func pageKey(of place: PlaceInfo) -> String { "workbench.place.\(place.identifier)" }

    /// Returns the page of a place that was shown last, in this session or an earlier one.
    private func lastPage(of place: PlacePages) -> Int? {
        if let page = lastPages[place.info] { return page }
        let saved = isHeadless ? nil : (try? workspace.state.value(Self.pageKey(of: place.info))) ?? nil
        return place.pages.first { panels[$0].identifier == saved }
    }

    func saveLastPages() {
        for (place, page) in lastPages { workspace.state.set(Self.pageKey(of: place), to: panels[page].identifier) }
    }
}
