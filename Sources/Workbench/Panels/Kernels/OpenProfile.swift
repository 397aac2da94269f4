internal import Console
internal import KernelLab

/// A profile that is read: its launches in an order, each under the roofs of its device; or two profiles side by side.
struct OpenProfile: Sendable {
    let profile: Profile
    let catalog: DeviceCatalog
    /// The profile that came after, when two are compared.
    let comparison: ProfileComparison?
    /// Of the comparison: launches that both have, and those that only one has.
    let changes: [Change]
    /// Places in the launches, or in the changes, as they are listed.
    private(set) var order: [Int]
    private(set) var sort = Sort.time
    private(set) var filter = ""
    var list = ListView()

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
        order = []
        arrange()
    }

    var selected: Launch? {
        guard comparison == nil, order.indices.contains(list.selection) else { return nil }
        return profile.launches[order[list.selection]]
    }

    var selectedChange: Change? {
        guard comparison != nil, order.indices.contains(list.selection) else { return nil }
        return changes[order[list.selection]]
    }

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

    mutating func show(sortedBy sort: Sort) {
        self.sort = sort
        arrange()
    }

    /// Only launches whose name contains the text; an empty one shows all.
    mutating func show(only filter: String) {
        self.filter = filter
        arrange()
    }

    mutating func select(_ ordinal: Int) {
        if let row = order.firstIndex(where: { profile.launches[$0].ordinal == ordinal }) { list.select(row) }
    }

    private mutating func arrange() {
        if comparison != nil {
            let changes = changes
            order = changes.indices.filter { matches(changes[$0].name) }
            if sort == .order {
                order.sort { (Self.place(changes[$0]), $0) < (Self.place(changes[$1]), $1) }
            } else {
                order.sort { (-abs(changes[$0].difference), $0) < (-abs(changes[$1].difference), $1) }
            }
        } else {
            let launches = profile.launches
            order = launches.indices.filter { matches(launches[$0].name) }
            switch sort {
            case .time: order.sort { (-(launches[$0].duration ?? -1), $0) < (-(launches[$1].duration ?? -1), $1) }
            case .order: break
            case .share:
                var roofs: [Int: Roofline?] = [:]
                let shares = launches.map { launch in
                    let roof = roofs[launch.device] ?? roofline(of: launch)
                    roofs[launch.device] = .some(roof)
                    return roof.flatMap(launch.standing)?.share ?? .infinity
                }
                order.sort { (shares[$0], $0) < (shares[$1], $1) }
            }
        }
        list.count = order.count
    }

    private static func place(_ change: Change) -> Int { (change.after ?? change.before)?.ordinal ?? 0 }

    private func matches(_ name: String) -> Bool { filter.isEmpty || name.lowercased().contains(filter.lowercased()) }
}
