import Console
import Glibc
import TestFixtures
import Testing

/// A screen as it is kept under `Goldens/`: its text, and below that its styles.
struct Golden {
    let name: String
    let content: String

    init(_ name: String, _ screen: Surface) {
        self.name = name
        content = screen.textDump + "\n\n=== styles ===\n" + screen.styleDump + "\n"
    }

    static var isUpdating: Bool { getenv("ORRERY_UPDATE_GOLDENS").map { String(cString: $0) } == "1" }

    var path: String { "\(Place.goldens)/\(name).txt" }

    /// Overwrites the golden file with the screen.
    func keep() {
        mkdir(Place.goldens, 0o755)
        File.write(content, to: path)
    }

    /// The first difference between the screen and the golden file; `nil` if there is none.
    var difference: String? {
        guard let kept = File.text(path) else { return "\(name): no golden file yet. \(Self.remedy)" }
        guard kept != content else { return nil }
        let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
        let new = content.split(separator: "\n", omittingEmptySubsequences: false)
        let row = zip(old, new).prefix { $0 == $1 }.count
        let was = row < old.count ? String(old[row]) : "(nothing)"
        let now = row < new.count ? String(new[row]) : "(nothing)"
        let column = zip(was, now).prefix { $0 == $1 }.count
        return """
            \(name), line \(row + 1), column \(column + 1):
              kept  \(was)
              now   \(now)
                    \(String(repeating: " ", count: column))^
            \(Self.remedy)
            """
    }

    /// Rewrites the golden file if goldens are updated; otherwise, reports where the screen differs from it.
    func keepOrCompare() {
        if Self.isUpdating {
            keep()
        } else if let difference {
            Issue.record("\(difference)")
        }
    }

    private static let remedy =
        "If the new screen is meant: ORRERY_UPDATE_GOLDENS=1 swift test --filter GoldenTests"
}
