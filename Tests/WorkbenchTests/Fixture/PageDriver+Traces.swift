import Console
import JSON
import Traces
import Workbench

typealias TraceDriver = PageDriver<TracePage>

extension PageDriver where P == TracePage {
    /// Ordinal of the selected span; `nil` in the list.
    var span: Int? { page.selection.flatMap { $0.kind == .span ? Int($0.path[1]) : nil } }
    var trace: Int64? { page.selection?.path.first }
    var pane: String { saved("pane") }
    /// The open dialog as a line.
    var prompt: Prompt<any Sendable>? { dialog?.asked }

    /// Returns a text that the page saves.
    func saved(_ key: String) -> String { (try? JSONValue(json: host.save()))?[key]?.string ?? "" }

    /// Returns the reason why an action is unavailable, or `nil`.
    func reason(_ name: String) -> String? { host.paletteItems.first { $0.group == name }?.disabledReason }

    /// Returns the word of a key in the footer, or `nil`.
    func hint(_ keys: String) -> String? { host.hints.first { $0.key == keys }?.text }
}
