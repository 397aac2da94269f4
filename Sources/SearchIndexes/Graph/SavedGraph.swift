/// What a store has of a graph.
struct SavedGraph: Sendable {
    /// Slots in base blocks.
    var baseCount = 0
    /// Slots whose newest lists are in the journal.
    var journaled = SlotSet()
    var journalSegments = 0
    var journalBytes = 0
}
