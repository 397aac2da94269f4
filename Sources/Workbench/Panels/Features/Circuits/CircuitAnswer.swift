internal import Interpretability

/// What comes back to the page of circuits.
package enum CircuitAnswer: Sendable {
    case grown(CircuitBox, PatchProgressBox)
    case found(CircuitBox)
    case cell(CircuitCellBox)
    case path(String)
    case models([String])
    case answers(right: String, wrong: String)
    case line(Line, String)

    /// What a line was asked for.
    package enum Line: Sendable {
        case model, clean, corrupt, export
    }
}

package struct CircuitBox: Sendable {
    let reading: CircuitReading
    package init(reading: CircuitReading) { self.reading = reading }
}
package struct CircuitCellBox: Sendable { let cell: CircuitCell }
package struct PatchProgressBox: Sendable { let progress: PatchProgress }
