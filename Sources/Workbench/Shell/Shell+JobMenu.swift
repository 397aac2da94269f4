internal import Console
internal import Workspace

/// The jobs of the workspace, with what can be done about each.
struct JobMenu {
    var jobs: [Job]
    var selected = 0

    /// How many of the newest are listed.
    static let most = 14
}

extension Shell {
    /// Lists the newest jobs: `r` takes up one that was cut off, `x` cancels, `D` removes.
    func showJobs() {
        do {
            let jobs = try workspace.jobs.list(limit: JobMenu.most)
            guard !jobs.isEmpty else { return notify("no job has run in this workspace", .information) }
            let selected = if case .jobs(let menu) = overlay { menu.selected } else { 0 }
            overlay = .jobs(JobMenu(jobs: jobs, selected: min(selected, jobs.count - 1)))
        } catch {
            notify(sentence(of: error), .failure)
        }
        needsDrawing = true
    }

    func choose(in menu: JobMenu, _ key: Key) {
        var menu = menu
        let job = menu.jobs[menu.selected]
        switch key.code {
        case .escape, .enter, .character("q"): return overlay = nil
        case .down, .character("j"): menu.selected = min(menu.jobs.count - 1, menu.selected + 1)
        case .up, .character("k"): menu.selected = max(0, menu.selected - 1)
        case .character("r"): return resume(job)
        case .character("x"): return change { try self.workspace.jobs.cancel(job.id) }
        case .character("D"): return change { try self.workspace.jobs.remove(job.id) }
        default: break
        }
        overlay = .jobs(menu)
    }

    private func change(_ body: () throws -> Void) {
        do { try body() } catch { return notify(sentence(of: error), .failure) }
        showJobs()
    }

    /// Goes on with a job that was cut off, as a job of the panel in front.
    private func resume(_ job: Job) {
        let jobs = workspace.jobs
        guard jobs.canResume(job) else {
            return notify("\(job.title) is \(job.state.rawValue): there is nothing to resume", .warning)
        }
        overlay = nil
        let engine = engine
        let panel = current
        engine.run(isJob: true) {
            do {
                try jobs.resume(job.id)
                engine.post(.resumed(panel: panel, title: job.title, sentence: nil))
            } catch {
                engine.post(.resumed(panel: panel, title: job.title, sentence: sentence(of: error)))
            }
        }
        notify("\(job.title) resumes", .information)
    }

    /// A sentence about jobs that a crash or kill -9 cut off; nil where there is none.
    var interruptedJobs: String? {
        let cutOff = ((try? workspace.jobs.list(limit: 20)) ?? []).filter { $0.state == .interrupted }
        guard let newest = cutOff.first else { return nil }
        return
            "\(newest.title) was cut off\(cutOff.count > 1 ? " (and \(cutOff.count - 1) more)" : ""): :jobs resumes it"
    }

    func draw(_ menu: JobMenu, into surface: inout Surface) {
        let inside = Popup(
            "Jobs", content: Size(64, menu.jobs.count + 2),
            trailing: [FrameLabel("r resume   x cancel   D remove", role: .dim)]
        ).draw(into: &surface, in: surface.bounds, theme: theme)
        let list = ListView(count: menu.jobs.count, selection: menu.selected)
        let table = Table([
            .init("job", alignment: .right, minimum: 5), .init("state", minimum: 11),
            .init("done", alignment: .right, minimum: 7),
            .init("what", minimum: 12, weight: 1),
        ])
        table.draw(list, into: &surface, in: inside, theme: theme, isFocused: true) { row, column in
            let job = menu.jobs[row]
            return switch column {
            case 0: .init("\(job.id)", .dim)
            case 1: .init(job.state.rawValue, job.state.role)
            case 2: .init(job.fraction.map { Format.progress($0) } ?? Format.compact(Int(job.done)))
            default: .init(job.title + (job.error.map { ": \($0)" } ?? ""))
            }
        }
    }
}

extension Job.State {
    fileprivate var role: Role {
        switch self {
        case .done: .success
        case .failed: .failure
        case .interrupted, .cancelled: .warning
        case .waiting, .running: .info
        }
    }
}
