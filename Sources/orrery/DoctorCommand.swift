import ArgumentParser
import Console
import Glibc
import JSON
import Traces
import Workspace

/// `orrery doctor`: whether this machine has what the program wants, one line each with a remedy.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check terminal, libraries, processor and workspace.")

    @OptionGroup var place: WorkspaceOptions
    @OptionGroup var appearance: AppearanceOptions
    @OptionGroup var output: JSONOption

    func run() throws {
        try answering {
            let findings = terminal() + libraries() + [processor()] + workspaceFindings() + settingsFindings()
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { $0.member("findings", findings) }
                Output.result(json.text)
            } else {
                for finding in findings {
                    let sign = finding.isFine ? "✓" : "✗"
                    let remedy = finding.remedy.map { "  → \($0)" } ?? ""
                    Output.result("\(sign) \(finding.name.padded(to: 12))\(Printable.line(finding.state))\(remedy)")
                }
            }
            if findings.contains(where: { !$0.isFine }) { throw ExitCode(1) }
        }
    }

    private func terminal() -> [Finding] {
        guard isatty(STDOUT_FILENO) == 1 else {
            return [Finding("terminal", "standard output is none; orrery show prints panels without one")]
        }
        do {
            let type = try Terminal.check()
            return [Finding("terminal", type)]
        } catch {
            return [Finding("terminal", sentence(for: error), isFine: false)]
        }
    }

    private func libraries() -> [Finding] {
        [
            Finding("ncurses", Terminal.cursesVersion),
            Finding("readline", LineEditor.readlineVersion ?? "left out: the own line editor is used"),
            Finding("sqlite", Workspace.sqliteVersion), Finding("zstd", Workspace.zstandardVersion),
        ]
    }

    private func processor() -> Finding {
        let wanted = ["avx2", "fma", "avx512f", "avx512_bf16", "avx512_vnni"]
        let flags =
            (try? SmallFile.text("/proc/cpuinfo")).map { text in
                Set(
                    (text.split(separator: "\n").first { $0.hasPrefix("flags") } ?? "").split(separator: " ").map(
                        String.init))
            } ?? []
        let present = wanted.filter(flags.contains)
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return Finding(
            "processor", "\(cores) cores, \(present.isEmpty ? "no vector units known" : present.joined(separator: " "))"
        )
    }

    private func workspaceFindings() -> [Finding] {
        let path = (try? place.path(creating: false)) ?? Workspace.defaultPath()
        guard access(path, F_OK) == 0 else {
            return [Finding("workspace", "\(path) is not there yet; the first run makes it")]
        }
        do {
            let workspace = try place.openForReading()
            let info = try workspace.info()
            let state = "\(path), \(Format.bytes(Int(info.size))), \(workspace.journal.rawValue) journal"
            return [Finding("workspace", state, remedy: workspace.notes.first)]
        } catch {
            return [Finding("workspace", sentence(for: error), isFine: false)]
        }
    }

    private func settingsFindings() -> [Finding] {
        let settings = appearance.settings()
        guard let problem = settings.problems.first?.sentence else {
            return [
                Finding("settings", "\(settings.path)\(access(settings.path, R_OK) == 0 ? "" : " (none: defaults)")")
            ]
        }
        return [Finding("settings", problem, isFine: false)]
    }
}

/// One thing that was looked at.
struct Finding: JSONRepresentable {
    var name: String
    var state: String
    var remedy: String?
    var isFine: Bool

    init(_ name: String, _ state: String, remedy: String? = nil, isFine: Bool = true) {
        self.name = name
        self.state = state
        self.remedy = remedy
        self.isFine = isFine
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("ok", isFine)
            $0.member("state", state)
            $0.member("remedy", ifPresent: remedy)
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
