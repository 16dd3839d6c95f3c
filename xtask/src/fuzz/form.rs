//! The forms of source that programs are made of, counted so that none is silently never generated.
use std::collections::BTreeMap;
use std::fmt;

use qd_ir::op::Op;

macro_rules! forms {
    ($($name:ident $text:literal;)*) => {
        /// What a node of a program is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(in crate::fuzz) enum Form {
            /// An operation of the table.
            Op(Op),
            $(#[doc = $text] $name,)*
        }

        impl Form {
            /// Every form but the operations.
            #[cfg(test)]
            const NAMED: &'static [Form] = &[$(Form::$name),*];
        }

        impl fmt::Display for Form {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Form::Op(op) => write!(f, "operation {op}"),
                    $(Form::$name => f.write_str($text),)*
                }
            }
        }
    };
}

forms! {
    StructItem "item: struct";
    TupleStructItem "item: tuple struct";
    GenericStructItem "item: generic struct";
    EnumItem "item: enum";
    ConstItem "item: const";
    FuncItem "item: func";
    GenericFuncItem "item: generic func";
    ConstFuncItem "item: func with a const parameter";
    MethodsItem "item: funcs";
    DerivedItem "item: struct with comparisons";
    OperatorItem "item: operator of a struct";
    TraitItem "item: trait, its types and a func of any";
    BundleItem "item: bundle";

    ValueParam "parameter: value";
    PatternParam "parameter: pattern";
    SpecializedParam "parameter: specialised";
    BundleParam "parameter: bundle";
    OffsetsParam "parameter: offsets";
    ReferenceParam "parameter of a func: &";
    MutableParam "parameter of a func: &mut";
    SliceParam "parameter of a func: slice";
    MutableSliceParam "parameter of a func: mutable slice";
    SliceArray "array: slice";
    LineArray "array: of one dimension";
    PlaneArray "array: of two dimensions";
    SpaceArray "array: of three dimensions";
    DataElements "array: of structs, tuples or arrays";
    GenericKernel "kernel: generic";
    HalfKernel "kernel: of a 16-bit float";
    ScalarResult "kernel: scalar result";
    DataResult "kernel: compound result";

    Literal "literal";
    Name "name";
    Part "part of a value";
    Cast "cast";
    EnumCast "cast of an enum";
    Half "operation of a 16-bit float";
    HalfCast "conversion of a 16-bit float";
    Operator "operator of a struct";
    Chain "chain of iterators";
    ChainOfPart "chain over a part of a slice";
    ChainAtTop "chain at top level";
    Lazy "&& or ||";
    If "if expression";
    Match "match on an integer";
    MatchEnum "match on an enum";
    MatchTuple "match on a tuple";
    Matches "matches!";
    Block "block";
    LoopValue "loop with a value";
    Load "element";
    Len "length";
    Tuple "tuple";
    List "array literal";
    Repeat "array of one value";
    Struct "struct literal";
    Update "struct literal with a base";
    Variant "variant";
    Vector "vector";
    Matrix "matrix";
    LinearOp "operator of vectors";
    LinearMethod "method of vectors";
    Compare "comparison of tuples or arrays";
    CompareEnum "comparison of enums";
    CompareStruct "comparison of structs";
    RunTimeIndex "run-time index into a local";
    Call "call";
    GenericCall "call of a generic func";
    MethodCall "call of a method";
    AssociatedCall "call of an associated function";
    TraitCall "call of a trait's function";
    Path "method called by path";
    Generic "operation of a type parameter";
    GenericCast "cast to a type parameter";

    Let "let";
    LetPattern "let with a pattern";
    LetLater "let without a value";
    LetElse "let else";
    IfLet "if let";
    Assign "assignment";
    Compound "compound assignment";
    Store "store";
    Atomic "atomic of an integer";
    FloatAtomic "atomic of a float";
    OldValue "atomic whose old value is used";
    CompareExchange "compare_exchange";
    Draw "random number";
    IfStmt "if";
    Serial "serial for";
    Range "for over a range";
    Inclusive "for over an inclusive range";
    Reversed "for over a reversed range";
    Stepped "for in steps";
    Unroll "unrolled for";
    Elements "for over elements";
    ElementsOfPart "for over a part of a slice";
    While "while";
    WhileLet "while let";
    Loop "loop";
    Jump "break or continue";
    LabelledJump "labelled break or continue";
    Return "return from a func";
    Assert "assert!";
    DebugAssert "debug_assert!";
    Panic "panic!";
    Print "println!";
    CallStmt "call for its effect";

    Parallel "parallel: range";
    ParallelShaped "parallel: range with adapters";
    ParallelIndices "parallel: indices";
    ParallelBox "parallel: ndrange";
    ParallelElements "parallel: elements";
    ParallelEnumerate "parallel: enumerate";
    ParallelZip "parallel: zip";
    ParallelPart "parallel: part of a slice";
    Segments "parallel: segments";
    Grain "parallel: grain";
    Reduce "reduction";
    ReduceFloat "reduction of floats";
    ReduceVector "reduction of vectors";
    ReducePart "reduction into a part";
    ReduceElement "reduction into an element chosen at run time";
    ReduceSpelled "reduction without an operator";
    Extreme "extreme and what goes with it";
    ExtremeTuple "extreme in a tuple";
    PlanIf "plan: if";
    PlanLoop "plan: while or loop";
    Steps "plan: steps";
    PlanReturn "plan: early return";
    PlanJump "plan: break or continue";
}

/// How often each form was made.
#[derive(Debug, Default)]
pub(super) struct Coverage(BTreeMap<Form, u64>);

impl Coverage {
    /// Counts one more.
    pub fn add(&mut self, form: Form) {
        *self.0.entry(form).or_default() += 1;
    }

    /// How many forms there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The forms that were never made, but for operations that aren't `possible`.
    #[cfg(test)]
    pub fn missing(&self, possible: impl Fn(Op) -> bool) -> Vec<Form> {
        let ops = Op::ALL.iter().filter(|op| possible(**op)).map(|op| Form::Op(*op));
        Form::NAMED.iter().copied().chain(ops).filter(|form| !self.0.contains_key(form)).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(form, count)| writeln!(f, "{count:>8}  {form}"))
    }
}
