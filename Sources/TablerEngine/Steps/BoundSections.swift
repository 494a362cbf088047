/// The bound `--section-by`, `--section-header` and `--section-footer`: the step that divides rows into
/// sections.
struct BoundSections: Step {
  private let breaks: SectionBreaks
  private let header: FooterTemplate?
  private let footer: BoundFooter?
  private let source: SourceExpression
  private let context: EvaluationContext
  private let budget: Int

  /// Whether sections are drawn.
  ///
  /// Data forms ignore them.
  private let isDrawn: Bool

  /// Binds the options.
  init(_ options: SectionOptions, _ plan: borrowing Plan, _ binder: inout Binder) throws(Failure) {
    source = options.value
    context = binder.context
    budget = plan.memory
    isDrawn = plan.output.form.isDisplay
    do {
      breaks = SectionBreaks(try binder.bind(options.value), missing: plan.layout.missing)
      header =
        if let header = options.header {
          try binder.bind(footer: header, given: SectionOptions.name)
        } else { nil }
      if case .text(let template)? = options.footer {
        footer = .band(try binder.bind(footer: template, given: SectionOptions.name))
        return
      }
    } catch { throw .expression(error) }
    guard case .columns(let lines)? = options.footer else {
      footer = nil
      return
    }
    footer = try BoundFooter(lines, option: "--section-footer", given: SectionOptions.name, &binder)
  }

  /// Templates and the expression may use the place of a row.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    guard let sections = plan.layout.sections else { return [] }
    let held: StepDemands = sections.header == nil ? [] : .records
    return plan.output.form.isDisplay ? held.union(.places) : held
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    guard isDrawn else { return [] }
    var parting = PlannedStep.HeldAmount.batch
    if header?.needsRows ?? false { parting = schedule.recordsSections ? .headings : .spilled(.section) }
    var steps = [PlannedStep(work: .sections, holding: parting)]
    if let header, header.holding != .little {
      steps.append(PlannedStep(work: .sectionHeader, holding: header.holding.planned))
    }
    if let footer, footer.holding != .little {
      steps.append(PlannedStep(work: .sectionFooter, holding: footer.holding.planned))
    }
    return steps
  }

  /// The sections of a table, of which none is known yet.
  func sections(of columns: [ShownColumn], _ schema: Schema) throws(Failure) -> Sections {
    guard isDrawn else { return Sections() }
    var schema = schema
    let lines: FooterLines
    do { lines = try FooterLines(footer.map { [$0] } ?? [], columns, &schema, context) } catch {
      throw .column(option: "--section-footer", error)
    }
    return Sections(
      SectionDivider(breaks, source, header: header, footer: lines, budget: budget), budget: budget)
  }
}

extension PlannedStep.Work {
  static let sections = Self(rawValue: "--section-by")
  static let sectionHeader = Self(rawValue: "--section-header")
  static let sectionFooter = Self(rawValue: "--section-footer")
}

extension BoundSections {
  /// Sections are drawn here; rows that would come in any order are asked for section by section, if that can be asked.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    guard let sections = plan.layout.sections else { return }
    if query.left.isEmpty, !query.isOrdered, !query.isCut {
      let key = SortKey(target: .expression(sections.value))
      var sorted = query
      if (try? sorted.sort(by: [Query.OrderKey(key: key, column: nil, nulls: .last, first: nil)])) != nil {
        query = sorted
      }
    }
    query.leave(PlannedStep.Work.sections.rawValue)
  }
}
