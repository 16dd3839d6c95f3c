//! Types of generated programs, and the structs and enums they define.
use std::fmt::{self, Display, Write};

use qd_ir::types::{Scalar, ScalarClass};

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    Scalar(Scalar),
    Tuple(Vec<Ty>),
    /// `[T; N]`
    List(Box<Ty>, usize),
    /// The struct of that number, with its argument if it is generic.
    Struct(usize, Option<Box<Ty>>),
    /// The enum of that number.
    Enum(usize),
    Vector(Scalar, usize),
    Matrix(Scalar, usize, usize),
    /// `T`, in what is generic.
    Param,
}

impl From<Scalar> for Ty {
    fn from(scalar: Scalar) -> Self {
        Ty::Scalar(scalar)
    }
}

impl Ty {
    /// `()`
    pub const UNIT: Ty = Ty::Tuple(Vec::new());

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(scalar) => Some(*scalar),
            Ty::Tuple(_)
            | Ty::List(..)
            | Ty::Struct(..)
            | Ty::Enum(_)
            | Ty::Vector(..)
            | Ty::Matrix(..)
            | Ty::Param => None,
        }
    }

    /// With `T` replaced.
    pub fn instance(&self, of: &Ty) -> Ty {
        match self {
            Ty::Param => of.clone(),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| part.instance(of)).collect()),
            Ty::List(element, len) => Ty::List(Box::new(element.instance(of)), *len),
            Ty::Struct(number, argument) => {
                Ty::Struct(*number, argument.as_ref().map(|argument| Box::new(argument.instance(of))))
            }
            Ty::Scalar(_) | Ty::Enum(_) | Ty::Vector(..) | Ty::Matrix(..) => self.clone(),
        }
    }

    /// True if a message can show it, and it compares part by part.
    pub fn is_plain(&self) -> bool {
        match self {
            Ty::Scalar(scalar) => scalar.is_primitive(),
            Ty::Tuple(parts) => !parts.is_empty() && parts.iter().all(Ty::is_plain),
            Ty::List(element, _) => element.is_plain(),
            Ty::Struct(..) | Ty::Enum(_) | Ty::Vector(..) | Ty::Matrix(..) | Ty::Param => false,
        }
    }
}

impl Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(scalar) => scalar.fmt(f),
            Ty::Tuple(parts) => {
                f.write_char('(')?;
                parts.iter().try_for_each(|part| write!(f, "{part}, "))?;
                f.write_char(')')
            }
            Ty::List(element, len) => write!(f, "[{element}; {len}]"),
            Ty::Struct(number, None) => write!(f, "S{number}"),
            Ty::Struct(number, Some(argument)) => write!(f, "S{number}<{argument}>"),
            Ty::Enum(number) => write!(f, "E{number}"),
            Ty::Vector(scalar, len) => write!(f, "Vector<{scalar}, {len}>"),
            Ty::Matrix(scalar, rows, columns) => write!(f, "Matrix<{scalar}, {rows}, {columns}>"),
            Ty::Param => f.write_char('T'),
        }
    }
}

/// What a program defines.
#[derive(Debug, Clone, Default)]
pub(super) struct Defs {
    pub structs: Vec<Struct>,
    pub enums: Vec<Enum>,
}

/// A struct.
#[derive(Debug, Clone)]
pub(super) struct Struct {
    /// `struct S(A, B);`
    pub tuple: bool,
    /// `struct S<T>`; then some field is made of `T`.
    pub generic: bool,
    /// `#[qd(PartialEq, PartialOrd)]`: it is compared, field by field.
    pub compared: bool,
    pub fields: Vec<Ty>,
}

/// An enum without fields.
#[derive(Debug, Clone)]
pub(super) struct Enum {
    pub repr: Scalar,
    /// The value of each variant.
    pub values: Vec<i128>,
}

/// A step from a value to a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// `.name`
    Field(String),
    /// `[0]`, of as many
    Index(usize),
    /// `[[0, 0]]`, of as many
    Cell(usize, usize),
}

impl Defs {
    /// The fields of a struct, with its argument in.
    pub fn fields(&self, number: usize, argument: Option<&Ty>) -> Vec<(String, Ty)> {
        let Struct { tuple, fields, .. } = &self.structs[number];
        let of = argument.unwrap_or(&Ty::Param);
        let name = |k: usize| if *tuple { k.to_string() } else { format!("f{k}") };
        fields.iter().enumerate().map(|(k, ty)| (name(k), ty.instance(of))).collect()
    }

    /// The parts that a value has at once.
    pub fn parts(&self, ty: &Ty) -> Vec<(Step, Ty)> {
        let field = |(name, ty): (String, Ty)| (Step::Field(name), ty);
        match ty {
            Ty::Scalar(_) | Ty::Enum(_) | Ty::Param => Vec::new(),
            Ty::Tuple(parts) => parts.iter().cloned().enumerate().map(|(k, ty)| field((k.to_string(), ty))).collect(),
            Ty::List(element, len) => vec![(Step::Index(*len), (**element).clone())],
            Ty::Struct(number, argument) => self.fields(*number, argument.as_deref()).into_iter().map(field).collect(),
            Ty::Vector(scalar, len) => {
                let named = ["x", "y", "z", "w"].into_iter().take(*len);
                let named = named.map(|name| (Step::Field(name.to_owned()), Ty::Scalar(*scalar)));
                named.chain([(Step::Index(*len), Ty::Scalar(*scalar))]).collect()
            }
            Ty::Matrix(scalar, rows, columns) => vec![
                (Step::Cell(*rows, *columns), Ty::Scalar(*scalar)),
                (Step::Index(*rows), Ty::Vector(*scalar, *columns)),
            ],
        }
    }

    /// The ways from a value to its parts of type `wanted`; the empty one is the value itself.
    pub fn ways(&self, ty: &Ty, wanted: &Ty) -> Vec<Vec<Step>> {
        let mut found = if ty == wanted { vec![Vec::new()] } else { Vec::new() };
        for (step, part) in self.parts(ty) {
            for way in self.ways(&part, wanted) {
                found.push([vec![step.clone()], way].concat());
            }
        }
        found
    }

    /// The simplest value of a type, as source.
    pub fn simplest(&self, ty: &Ty) -> String {
        let list = |parts: Vec<String>| parts.join(", ");
        match ty {
            Ty::Scalar(scalar) => match scalar.class() {
                ScalarClass::Bool => "false".to_owned(),
                ScalarClass::Signed | ScalarClass::Unsigned => format!("1{scalar}"),
                ScalarClass::Float if scalar.is_half() => format!("{scalar}::ONE"),
                ScalarClass::Float => format!("1.0{scalar}"),
            },
            Ty::Tuple(parts) if parts.is_empty() => "()".to_owned(),
            Ty::Tuple(parts) => format!("({},)", list(parts.iter().map(|part| self.simplest(part)).collect())),
            Ty::List(element, len) => format!("[{}; {len}]", self.simplest(element)),
            Ty::Struct(number, argument) => {
                let fields = self.fields(*number, argument.as_deref()).into_iter();
                let fields = fields.map(|(name, ty)| format!("{name}: {}", self.simplest(&ty))).collect();
                format!("S{number} {{ {} }}", list(fields))
            }
            Ty::Enum(number) => format!("E{number}::V0"),
            Ty::Vector(scalar, len) => format!("Vector::<{scalar}, {len}>::zero()"),
            Ty::Matrix(scalar, rows, columns) => format!("Matrix::<{scalar}, {rows}, {columns}>::zero()"),
            Ty::Param => "T::ONE".to_owned(),
        }
    }

    /// The source of a struct.
    pub fn struct_source(&self, number: usize) -> String {
        let Struct { tuple, generic, compared, fields } = &self.structs[number];
        let name = format!("S{number}{}", if *generic { "<T>" } else { "" });
        let derive = if *compared {
            "#[derive(Debug, Clone, Copy, qd::Data)]\n#[qd(PartialEq, PartialOrd)]\n"
        } else {
            "#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]\n"
        };
        if *tuple {
            let fields: Vec<String> = fields.iter().map(Ty::to_string).collect();
            format!("{derive}pub struct {name}({});\n", fields.join(", "))
        } else {
            let fields: String = fields.iter().enumerate().map(|(k, ty)| format!("f{k}: {ty},\n")).collect();
            format!("{derive}pub struct {name} {{\n{fields}}}\n")
        }
    }

    /// How the driver makes and compares values of a struct.
    pub fn struct_support(&self, number: usize) -> String {
        let generic = self.structs[number].generic;
        let (params, name) = if generic { ("<T: Value>", format!("S{number}<T>")) } else { ("", format!("S{number}")) };
        let (mut make, mut same) = (String::new(), String::from("true"));
        for (k, (field, _)) in self.fields(number, None).iter().enumerate() {
            // Writing to a string can't fail.
            let _ = write!(make, "{field}: Value::make(mixed(number, {k})), ");
            let _ = write!(same, " && self.{field}.same(other.{field})");
        }
        format!(
            "impl{params} Value for {name} {{\nfn make(number: u64) -> Self {{ S{number} {{ {make} }} }}\n\
             fn same(self, other: Self) -> bool {{ {same} }}\n}}\n"
        )
    }

    /// The source of an enum.
    pub fn enum_source(&self, number: usize) -> String {
        let Enum { repr, values } = &self.enums[number];
        let mut variants = String::new();
        for (k, value) in values.iter().enumerate() {
            let follows = k > 0 && values[k - 1] + 1 == *value || k == 0 && *value == 0;
            let _ = if follows { writeln!(variants, "V{k},") } else { writeln!(variants, "V{k} = {value},") };
        }
        format!(
            "#[derive(Debug, Clone, Copy, PartialEq, Eq, qd::Data)]\n#[repr({repr})]\npub enum E{number} \
             {{\n{variants}}}\n"
        )
    }

    /// How the driver makes and compares values of an enum.
    pub fn enum_support(&self, number: usize) -> String {
        let count = self.enums[number].values.len();
        let variants: Vec<String> = (0..count).map(|k| format!("E{number}::V{k}")).collect();
        format!(
            "impl Value for E{number} {{\nfn make(number: u64) -> Self {{ [{}][(mixed(number, 0) % {count}) as usize] \
             }}\nfn same(self, other: Self) -> bool {{ self == other }}\n}}\n",
            variants.join(", ")
        )
    }
}
