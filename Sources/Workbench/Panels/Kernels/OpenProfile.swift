internal import Console
internal import KernelLab
internal import Presentation

/// A profile that is read: its launches in an order, each under the roofs of its device; or two profiles side by side.
struct OpenProfile: Sendable {
    let profile: Profile
    let catalog: DeviceCatalog
    /// The profile that came after, when two are compared.
    let comparison: ProfileComparison?
    /// Of the comparison: launches that both have, and those that only one has.
    let changes: [Change]
    /// The launches or changes as they are listed.
    var rows = RowList<Row>()
    private(set) var sort = Sort.time
    private(set) var filter = ""

    /// A row of the list: an index in the launches, or in the changes.
    struct Row: Identifiable, Sendable {
        let id: Int
    }

    /// A launch before and after; one of them is missing where it was fused, split or renamed.
    struct Change: Sendable {
        var before: Launch?
        var after: Launch?

        var name: String { (after ?? before)?.name ?? "" }
        /// Seconds that it costs; negative for a gain.
        var difference: Double { (after?.duration ?? 0) - (before?.duration ?? 0) }
        /// Time before over time after.
        var speedup: Double? {
            guard let before = before?.duration, let after = after?.duration, before > 0, after > 0 else { return nil }
            return before / after
        }
    }

    enum Sort: String, CaseIterable, Sendable {
        case time, order, share
    }

    init(_ profile: Profile, catalog: DeviceCatalog, comparison: ProfileComparison? = nil) {
        self.profile = profile
        self.catalog = catalog
        self.comparison = comparison
        changes =
            comparison.map { comparison in
                comparison.pairs.map { Change(before: $0.before, after: $0.after) }
                    + comparison.onlyBefore.map { Change(before: $0) } + comparison.onlyAfter.map { Change(after: $0) }
            } ?? []
        arrange()
    }

    var selected: Launch? { comparison == nil ? rows.selected.map { profile.launches[$0.id] } : nil }
    var selectedChange: Change? { comparison == nil ? nil : rows.selected.map { changes[$0.id] } }

    /// Returns the printed row of a listed launch.
    func launch(_ row: Row) -> LaunchRow { LaunchRow(index: row.id, profile: profile, catalog: catalog) }

    func roofline(of launch: Launch) -> Roofline? { profile.summary.roofline(ofDevice: launch.device, in: catalog) }

    // MARK: Order

    var sortTitle: String {
        switch sort {
        case .time: comparison == nil ? "longest first" : "largest change first"
        case .order: "as launched"
        case .share: "farthest from the roof first"
        }
    }

    mutating func nextSort() {
        let all = Sort.allCases.filter { $0 != .share || comparison == nil }
        show(sortedBy: all[((all.firstIndex(of: sort) ?? 0) + 1) % all.count])
    }

    private mutating func show(sortedBy sort: Sort) {
        self.sort = sort
        arrange()
    }

    /// Shows only launches whose name contains the text; an empty text shows all.
    mutating func show(only filter: String) {
        self.filter = filter
        arrange()
    }

    /// Restores the sort order, the filter, and the cursor.
    mutating func restore(_ place: KernelPlace) {
        sort = place.sort ?? sort
        filter = place.filter ?? filter
        arrange()
        if let row = place.row { rows.list.select(row) }
        if let launch = place.launch,
            let index = rows.rows.firstIndex(where: { profile.launches[$0.id].ordinal == launch })
        {
            rows.list.select(index)
        }
    }

    /// Sorts and filters; the cursor stays at its position.
    private mutating func arrange() {
        let cursor = rows.list.selection
        rows.show((comparison == nil ? arrangedLaunches : arrangedChanges).map(Row.init))
        rows.list.select(cursor)
    }

    private var arrangedChanges: [Int] {
        func place(_ index: Int) -> Int { (changes[index].after ?? changes[index].before)?.ordinal ?? 0 }
        let order = changes.indices.filter { matches(changes[$0].name) }
        return sort == .order
            ? order.sorted { (place($0), $0) < (place($1), $1) }
            : order.sorted { (-abs(changes[$0].difference), $0) < (-abs(changes[$1].difference), $1) }
    }

    private var arrangedLaunches: [Int] {
        let launches = profile.launches
        let order = launches.indices.filter { matches(launches[$0].name) }
        switch sort {
        case .time: return order.sorted { (-(launches[$0].duration ?? -1), $0) < (-(launches[$1].duration ?? -1), $1) }
        case .order: return order
        case .share:
            var roofs: [Int: Roofline?] = [:]
            let shares = launches.map { launch in
                let roof = roofs[launch.device] ?? roofline(of: launch)
                roofs[launch.device] = .some(roof)
                return roof.flatMap(launch.standing)?.share ?? .infinity
            }
            return order.sorted { (shares[$0], $0) < (shares[$1], $1) }
        }
    }

    private func matches(_ name: String) -> Bool { filter.isEmpty || name.lowercased().contains(filter.lowercased()) }
}
