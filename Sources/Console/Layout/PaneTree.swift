/// The arrangement of panes on a screen: nested rows and columns of panes.
public indirect enum PaneTree<Pane: Hashable & Sendable>: Hashable, Sendable {
    /// A single pane.
    case pane(Pane)
    /// Parts from top to bottom.
    case rows([Part])
    /// Parts from left to right.
    case columns([Part])

    /// One part of a row or column of panes.
    public struct Part: Hashable, Sendable {
        /// Requested size.
        public var extent: Extent
        /// Panes in the part.
        public var content: PaneTree

        /// Creates a part.
        public init(_ extent: Extent, _ content: PaneTree) {
            self.extent = extent
            self.content = content
        }

        /// Creates a part with a single pane.
        public init(_ extent: Extent, _ pane: Pane) {
            self.init(extent, .pane(pane))
        }
    }

    /// A pane with its area.
    public struct Placed: Hashable, Sendable {
        /// Pane that occupies the area.
        public var pane: Pane
        /// Area of the pane on the screen.
        public var area: Rect
    }

    /// Panes in reading order, which is also the order of the Tab key.
    public var panes: [Pane] {
        switch self {
        case .pane(let pane): [pane]
        case .rows(let parts), .columns(let parts): parts.flatMap(\.content.panes)
        }
    }

    /// Returns the area of every pane; a zoomed pane gets the entire area, and the other panes are omitted.
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

    /// Returns the pane `step` positions after a pane in reading order, wrapping around.
    public func pane(after pane: Pane, by step: Int = 1) -> Pane {
        let panes = panes
        guard let index = panes.firstIndex(of: pane) else { return panes.first ?? pane }
        return panes[((index + step) % panes.count + panes.count) % panes.count]
    }
}
