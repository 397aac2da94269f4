internal import Console
internal import Presentation
internal import Workspace

/// The list of jobs, with the actions for each.
struct JobMenu {
    var jobs: [Job]
    var selected = 0

    /// Maximum number of listed jobs.
    static let most = 14
}

extension Shell {
    /// Lists the newest jobs: `r` resumes an interrupted job; `x` cancels and `D` removes one after a question.
    ///
    /// - Parameter id: Job to select (default: the current selection).
    func showJobs(selecting id: Int64? = nil) {
        do {
            let jobs = try workspace.jobs.list(limit: JobMenu.most)
            guard !jobs.isEmpty else { return notify("no job has run in this workspace", .information) }
            let present = if case .jobs(let menu) = overlay { menu.selected } else { 0 }
            let selected = jobs.firstIndex { $0.id == id } ?? present
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
        case .character("x"):
            guard job.state.isActive else { return notify("\(job.title) is not running.", .warning) }
            let question = Question.stopping(job.title, progress: job.standing, value: true)
            return ask(question, about: job) { try $0.cancel(job.id) }
        case .character("D"):
            guard !job.state.isActive else {
                return notify("\(job.title) is running. Press x to cancel it first.", .warning)
            }
            let question = Question(
                "Remove \(job.title.truncated(toColumns: 44)) from the list?", lines: ["State: \(job.stateWords)."],
                escape: "keep it", [.init("r", "remove the entry", value: true)])
            return ask(question, about: job) { try $0.remove(job.id) }
        default: break
        }
        overlay = .jobs(menu)
    }

    /// Asks about a job of the list; the list returns after the answer.
    private func ask(_ question: Question<Bool>, about job: Job, then change: @escaping (Jobs) throws -> Void) {
        let isOwn = jobs.contains { $0.handle?.id == job.id }
        let list = { [unowned self] in showJobs(selecting: job.id) }
        overlay = .dialog(
            QuestionDialog(
                question: { [unowned self] in
                    guard isOwn, job.state.isActive else { return question }
                    // The job may progress or end while the box is open.
                    guard let running = jobs.first(where: { $0.handle?.id == job.id }) else { return nil }
                    return .stopping(job.title, progress: running.job?.standing, value: true)
                }, cancelled: list,
                accept: { [unowned self] _ in
                    do { try change(workspace.jobs) } catch { notify(sentence(of: error), .failure) }
                    list()
                }))
    }

    /// Resumes an interrupted job as a job of the current panel.
    private func resume(_ job: Job) {
        let jobs = workspace.jobs
        guard jobs.canResume(job) else {
            let isOver = job.state.isActive || job.state == .done
            let remedy = isOver ? ". There is nothing to resume." : " and cannot be resumed. Start it again."
            return notify("\(job.title) is \(job.state.rawValue)\(remedy)", .warning)
        }
        overlay = nil
        let engine = engine
        let (panel, ticket) = (current, takeTicket())
        self.jobs.append(RunningJob(ticket: ticket, panel: panel, title: job.title, handle: nil, job: nil))
        engine.run(.job) {
            var (handle, problem): (JobHandle?, String?)
            do {
                try jobs.resume(job.id) {
                    handle = $0
                    engine.post(.began(ticket: ticket, $0))
                }
                // The work may end its job as canceled or failed without throwing.
                if let ended = handle?.job, ended.state != .done {
                    problem = ended.error ?? "\(job.title): \(ended.state.rawValue)"
                }
            } catch is CancellationError {
                problem = "\(job.title): cancelled"
            } catch {
                problem = sentence(of: error)
            }
            engine.post(.resumed(panel: panel, title: job.title, ticket: ticket, sentence: problem))
        }
        notify("resuming \(job.title)", .information)
    }

    /// Message about jobs that a crash or kill -9 interrupted; `nil` if there are none.
    var interruptedJobs: String? {
        let cutOff = ((try? workspace.jobs.list(limit: 20)) ?? []).filter { $0.state == .interrupted }
        guard let newest = cutOff.first else { return nil }
        let others = cutOff.count > 1 ? " (and \(cutOff.count - 1) more)" : ""
        let remedy = workspace.jobs.canResume(newest) ? "Type :jobs to resume it." : "Start it again."
        return "\(newest.title) was interrupted\(others). \(remedy)"
    }

    func draw(_ menu: JobMenu, into surface: inout Surface) {
        let inside = Popup(
            "Jobs", content: Size(76, menu.jobs.count + 2),
            trailing: [FrameLabel("r resume   x cancel   D remove", role: .dim)]
        ).draw(into: &surface, in: surface.bounds, theme: theme)
        let list = ListView(count: menu.jobs.count, selection: menu.selected)
        let table = Table([
            .init("job", alignment: .right, minimum: 5), .init("state", minimum: 20),
            .init("done", alignment: .right, minimum: 7),
            .init("title", minimum: 12, weight: 1),
        ])
        table.draw(list, into: &surface, in: inside, theme: theme, isFocused: true) { row, column in
            let job = menu.jobs[row]
            return switch column {
            case 0: .init("\(job.id)", .dim)
            case 1: .init(job.stateWords, job.state.role)
            case 2: .init(job.stateWords != job.state.rawValue ? "" : job.doneWords)
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
