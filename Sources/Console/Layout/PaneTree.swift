/// How the panes of a screen divide it: rows of columns of rows, down to the panes.
public indirect enum PaneTree<Pane: Hashable & Sendable>: Hashable, Sendable {
    case pane(Pane)
    case rows([Part])
    case columns([Part])

    /// One part of a division.
    public struct Part: Hashable, Sendable {
        public var extent: Extent
        public var content: PaneTree

        public init(_ extent: Extent, _ content: PaneTree) {
            self.extent = extent
            self.content = content
        }

        /// A part that is one pane.
        public init(_ extent: Extent, _ pane: Pane) {
            self.init(extent, .pane(pane))
        }
    }

    /// A pane and where it lies.
    public struct Placed: Hashable, Sendable {
        public var pane: Pane
        public var area: Rect
    }

    /// The panes in reading order, which is the order in which Tab goes.
    public var panes: [Pane] {
        switch self {
        case .pane(let pane): [pane]
        case .rows(let parts), .columns(let parts): parts.flatMap(\.content.panes)
        }
    }

    /// Where every pane lies; with one zoomed, it has the whole area and the others are left out.
    public func areas(in area: Rect, zoomed: Pane? = nil) -> [Placed] {
        if let zoomed, panes.contains(zoomed) { return [Placed(pane: zoomed, area: area)] }
        switch self {
        case .pane(let pane):
            return [Placed(pane: pane, area: area)]
        case .rows(let parts):
            return zip(parts, Layout.rows(parts.map(\.extent), in: area)).flatMap { $0.content.areas(in: $1) }
        case .columns(let parts):
            return zip(parts, Layout.columns(parts.map(\.extent), in: area)).flatMap { $0.content.areas(in: $1) }
        }
    }

    /// The pane after another one in reading order, or before it, going round.
    public func pane(after pane: Pane, by step: Int = 1) -> Pane {
        let panes = panes
        guard let index = panes.firstIndex(of: pane) else { return panes.first ?? pane }
        return panes[((index + step) % panes.count + panes.count) % panes.count]
    }
}
