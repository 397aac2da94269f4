import ArgumentParser
import CommandSupport
import Commands
import Console
import Formatting
import Glibc
import JSON
import Providers
import Sandbox
import System
import Traces
import Workbench
import Workspace

/// The `orrery doctor` command: checks what the program needs, with one line and a remedy per finding.
struct DoctorCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check terminal, libraries, processor, and workspace.")

    @OptionGroup var place: WorkspaceOptions
    @OptionGroup var appearance: AppearanceOptions
    @OptionGroup var reading: JSONOption

    func result(in options: JSONOption) -> Report<JSONObject> {
        let findings =
            terminal() + clipboard() + libraries() + [processor()] + sandbox() + workspaceFindings()
            + settingsFindings() + prices()
        return Report(object: { $0.member("findings", findings) }, status: findings.allSatisfy(\.isFine) ? 0 : 1) {
            findings.map { finding in
                let remedy = finding.remedy.map { "  → \($0)" } ?? ""
                return "\(finding.isFine ? "✓" : "✗") \(finding.name.padded(to: 12))"
                    + "\(Printable.line(finding.state))\(remedy)"
            }.joined(separator: "\n")
        }
    }

    private func terminal() -> [Finding] {
        guard isatty(STDOUT_FILENO) == 1 else {
            return [Finding("terminal", "standard output is not a terminal; orrery show prints panels without one")]
        }
        do {
            let type = try Terminal.check()
            return [Finding("terminal", type)]
        } catch {
            return [
                Finding(
                    "terminal", sentence(for: error),
                    remedy: "set TERM to the terminal's type, such as xterm-256color",
                    isFine: false)
            ]
        }
    }

    /// Checks whether copied text reaches the system clipboard. Only tmux can report its setting.
    private func clipboard() -> [Finding] {
        guard getenv("TMUX") != nil else { return [] }
        // Without tmux in PATH, its setting is unknown.
        let answer = try? ChildProcess.run(
            Launch(["tmux", "show", "-gv", "set-clipboard"]), limits: ChildProcess.Limits(seconds: 5))
        guard let answer, answer.ending == .exited(status: 0) else {
            return [Finding("clipboard", "tmux does not report set-clipboard")]
        }
        let value = answer.text.split(separator: "\n").first.map(String.init) ?? ""
        guard value != "on" else { return [Finding("clipboard", "tmux forwards copied text")] }
        return [
            Finding(
                "clipboard", "tmux does not forward copied text: set-clipboard is \(value)",
                remedy: "add to ~/.tmux.conf: set -g set-clipboard on", isFine: false)
        ]
    }

    private func prices() -> [Finding] {
        do {
            let table = try PriceTable.settings(appearance.settings())
            let day = table.asOf.map { " as of \($0)" } ?? ", undated"
            return [Finding("prices", "\(Format.count(table.models.count)) models\(day)")]
        } catch {
            return [
                Finding(
                    "prices", sentence(for: error), remedy: "fix the file, or remove prices from the settings",
                    isFine: false)
            ]
        }
    }

    private func libraries() -> [Finding] {
        [
            Finding("ncurses", Terminal.cursesVersion),
            Finding("readline", LineEditor.readlineVersion ?? "not linked; the built-in line editor is used"),
            Finding("sqlite", Workspace.sqliteVersion), Finding("zstd", Workspace.zstandardVersion),
            Finding(
                "libcurl",
                Providers.missingHTTP ?? Providers.httpVersion ?? "loaded with the first request to an endpoint",
                remedy: Providers.missingHTTP.map { _ in "install libcurl4, which is required for requests to endpoints"
                },
                isFine: Providers.missingHTTP == nil),
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
            "processor", "\(cores) cores, \(present.isEmpty ? "no known vector units" : present.joined(separator: " "))"
        )
    }

    /// Checks each tier of the sandbox for model-written code; one working tier is enough.
    private func sandbox() -> [Finding] {
        let tiers = Sandbox.probe()
        let holds = tiers.contains { $0.problem == nil }
        return tiers.map { tier, problem in
            guard let problem else { return Finding("sandbox", tier.title) }
            let remedy =
                switch tier {
                case .bubblewrap: "apt-get install bubblewrap"
                case .namespaces: "allow user namespaces: raise sysctl user.max_user_namespaces"
                }
            return Finding(
                "sandbox", "no \(tier.title): \(problem)" + (holds ? "" : "; model-written code will not run"),
                remedy: remedy, isFine: holds)
        }
    }

    private func workspaceFindings() -> [Finding] {
        let path = (try? place.path(creating: false)) ?? Workspace.defaultPath()
        guard access(path, F_OK) == 0 else {
            return [Finding("workspace", "\(path) does not exist yet; the first start creates it")]
        }
        do {
            let workspace = try place.openForReading()
            let info = try workspace.info()
            let state = "\(path), \(Format.bytes(Int(info.size))), \(workspace.journal.rawValue) journal"
            let log = info.logWarning.map { [Finding("log", $0)] } ?? []
            return [Finding("workspace", state, remedy: workspace.notes.first)] + log
        } catch {
            return [
                Finding(
                    "workspace", sentence(for: error),
                    remedy:
                        "use another workspace with orrery --workspace PATH, or inspect this one with orrery "
                        + "workspace check",
                    isFine: false)
            ]
        }
    }

    private func settingsFindings() -> [Finding] {
        let settings = appearance.settings()
        let problems = Workbench.problems(with: settings).map(\.sentence)
        guard !problems.isEmpty else {
            return [
                Finding(
                    "settings",
                    "\(settings.path)\(access(settings.path, R_OK) == 0 ? "" : " (missing; defaults are used)")")
            ]
        }
        return problems.map {
            Finding(
                "settings", $0,
                remedy: "fix the entry; orrery config show lists the settings in effect", isFine: false)
        }
    }
}

/// Result of one check.
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
